/**
 * Loop options for kinds of programs. Spread one before your own options: `new Loop({ ...web, step, render })`.
 *
 * @packageDocumentation
 */

import type { LoopOptions } from "./options.js";

/** Options for a kind of program. */
type Preset = Readonly<Omit<LoopOptions, "step" | "render" | "driver" | "stepping" | "now">>;

/** A game that fills the screen: 120 steps per second, and at most 8 in a frame, so that a stall does not cause a burst. */
export const desktop = {
  rate: 120,
  // Two steps per frame on a 60 Hz display. Eight still fit into a slow frame; more would only make it slower.
  maxSteps: 8,
} as const satisfies Preset;

/** A game on a page: 60 steps per second, which any machine can do, and a step budget that keeps the page responsive. */
export const web = {
  rate: 60,
  stepBudget: 0.008,
} as const satisfies Preset;

/** A phone: fewer steps and frames save battery and heat, and blending hides the difference. */
export const mobile = {
  rate: 30,
  frameCap: 60,
  stepBudget: 0.008,
} as const satisfies Preset;

/**
 * One step per refresh, as on a console: the display's rate is the step rate, and each frame shows the newest state. In
 * browsers only, and not for replays.
 */
export const consoleLike = {
  rate: "display",
  present: "latest",
  // A dropped frame slows the game down; the loop never catches up.
  maxSteps: 1,
} as const satisfies Preset;

/** A game server: it catches up after stalls of up to a second, so that no time is lost. */
export const server = {
  rate: 60,
  overload: { catchUp: 1 },
} as const satisfies Preset;

/** The tick of a network protocol: slow enough for packets, and it keeps up with real time over minutes. */
export const networkTick = {
  rate: 20,
  overload: { catchUp: 2 },
} as const satisfies Preset;
