/**
 * Loop options for kinds of programs. Spread one before your own options: `new Loop({ ...web, step, render })`.
 *
 * @packageDocumentation
 */

import type { LoopOptions } from "./options.js";

/** Options for a kind of program, to be spread before your own: `new Loop({ ...web, step, render })`. */
type Preset = Readonly<Omit<LoopOptions, "step" | "render" | "driver" | "stepping" | "now">>;

/** A game that is the only thing on the screen: steps as fine as most displays; of a stall, no more than 8 are made up for. */
export const desktop = {
  rate: 120,
  // Two steps a frame on a 60 Hz display; eight still fit one slow frame, and more would only make it slower.
  maxSteps: 8,
} as const satisfies Preset;

/** A page among others: 60 steps, which any machine can do, and a budget, so that the page answers whatever happens. */
export const web = {
  rate: 60,
  stepBudget: 0.008,
} as const satisfies Preset;

/** A phone: fewer steps and fewer frames cost less battery and less heat, and blending hides it. */
export const mobile = {
  rate: 30,
  frameCap: 60,
  stepBudget: 0.008,
} as const satisfies Preset;

/**
 * As on a console, where steps and refreshes are one: as many steps a second as the display has refreshes, and a frame
 * shows the state it has just stepped. In browsers only, and not for replays.
 */
export const consoleLike = {
  rate: "display",
  present: "latest",
  // A frame that is missed slows the game down; it never runs after lost time.
  maxSteps: 1,
} as const satisfies Preset;

/** A server that simulates for others: no time may be lost to a short stall, so what is missed is caught up. */
export const server = {
  rate: 60,
  overload: { catchUp: 1 },
} as const satisfies Preset;

/** The tick of a network protocol: slow enough for packets, and in step with real time over minutes. */
export const networkTick = {
  rate: 20,
  overload: { catchUp: 2 },
} as const satisfies Preset;
