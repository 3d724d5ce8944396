import { chapterPages } from "./chapters.js";
import { docsPages } from "./docs.js";
import type { SitePage } from "./page.js";
import { startPage } from "./start.js";

/** All pages of the site. */
export const allPages = (): readonly SitePage[] => [startPage(), ...chapterPages(), ...docsPages()];
