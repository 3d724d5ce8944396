import type { LoadableChapter } from "../figure/run-figures.js";
import { CHAPTER_TEXTS } from "./texts.js";

/** The scene of each chapter. Only those that come near the screen are loaded. */
const SCENES: Readonly<Record<string, LoadableChapter["scene"]>> = {
  speed: () => import("./speed/scene.js"),
  explosion: () => import("./explosion/scene.js"),
  tunnelling: () => import("./tunnelling/scene.js"),
  spiral: () => import("./spiral/scene.js"),
  stutter: () => import("./stutter/scene.js"),
  latency: () => import("./latency/scene.js"),
  "even-frames": () => import("./even-frames/scene.js"),
  "lost-input": () => import("./lost-input/scene.js"),
  rates: () => import("./rates/scene.js"),
  time: () => import("./time/scene.js"),
  determinism: () => import("./determinism/scene.js"),
  engines: () => import("./engines/scene.js"),
  replay: () => import("./replay/scene.js"),
  rollback: () => import("./rollback/scene.js"),
  server: () => import("./server/scene.js"),
  thread: () => import("./thread/scene.js"),
};

/** All chapters, in the order of the article. */
export const CHAPTERS: readonly LoadableChapter[] = CHAPTER_TEXTS.map((text) => ({
  text,
  scene: SCENES[text.id]!,
}));
