import type { ChapterText } from "../figure/chapter.js";
import { speed } from "./speed/text.js";
import { explosion } from "./explosion/text.js";
import { stutter } from "./stutter/text.js";
import { latency } from "./latency/text.js";
import { rates } from "./rates/text.js";

/** The texts of all chapters, in the order of the article. */
export const CHAPTER_TEXTS: readonly ChapterText[] = [speed, explosion, stutter, latency, rates];
