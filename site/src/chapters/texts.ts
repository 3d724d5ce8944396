import type { ChapterText } from "../figure/chapter.js";
import { tunnelling } from "./tunnelling/text.js";
import { spiral } from "./spiral/text.js";
import { latency } from "./latency/text.js";
import { evenFrames } from "./even-frames/text.js";
import { lostInput } from "./lost-input/text.js";
import { explosion } from "./explosion/text.js";
import { speed } from "./speed/text.js";
import { stutter } from "./stutter/text.js";
import { rates } from "./rates/text.js";
import { time } from "./time/text.js";
import { determinism } from "./determinism/text.js";
import { engines } from "./engines/text.js";
import { replay } from "./replay/text.js";
import { rollback } from "./rollback/text.js";
import { server } from "./server/text.js";
import { thread } from "./thread/text.js";

/** The texts of all chapters, in the order of the article. */
export const CHAPTER_TEXTS: readonly ChapterText[] = [
  speed,
  explosion,
  tunnelling,
  spiral,
  stutter,
  latency,
  evenFrames,
  lostInput,
  rates,
  time,
  determinism,
  engines,
  replay,
  rollback,
  server,
  thread,
];
