import { chapterPages } from "./chapters.js";
import { docsPages } from "./docs.js";
import type { Doc } from "./docs/parse.js";
import type { SitePage } from "./page.js";
import { recorderPage } from "./recorder.js";
import { startPage } from "./start.js";

/** All pages of the site. */
export const allPages = (docs: readonly Doc[]): readonly SitePage[] => [
  startPage(),
  ...chapterPages(),
  recorderPage,
  ...docsPages(docs),
];
