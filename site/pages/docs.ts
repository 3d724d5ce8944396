import type { SitePage } from "./page.js";

/** The pages of the documentation. */
export const docsPages = (): readonly SitePage[] => [];
