/**
 * Loops for kinds of programs, started: `const loop = web({ step, render })`. Your options override those of the preset.
 *
 * @packageDocumentation
 */

import { requireType } from "../errors/index.js";
import { display } from "./drivers/display.js";
import { timer } from "./drivers/timer.js";
import { Loop } from "./loop.js";
import type { LoopOptions } from "./options.js";
import { catchUp } from "./parts/catch-up.js";
import { stepBudget } from "./parts/step-budget.js";

/** Options of a preset: those of a loop, which override the preset's. */
export type PresetOptions = Partial<LoopOptions>;

/** Creates a loop. A game that is an instance of a class keeps its own object, and only its callbacks are used. */
function newLoop(preset: LoopOptions, options: PresetOptions): Loop {
  if (options?.constructor === Object) return new Loop({ ...preset, ...options });
  requireType("preset: options", options, "object", "{ step() {} }");
  return new Loop({
    ...preset,
    step: (info) => options.step?.(info),
    render: (info) => options.render?.(info),
  });
}

/** A game that fills the screen: 120 steps per second, and at most 8 in a frame, so that a stall does not cause a burst. */
export function desktop(options: PresetOptions): Loop {
  // Two steps per frame on a 60 Hz display. Eight still fit into a slow frame; more would only make it slower.
  const loop = newLoop({ rate: 120, maxSteps: 8 }, options);
  loop.start(display());
  return loop;
}

/** A game on a page: 60 steps per second, which any machine can do, and a step budget that keeps the page responsive. */
export function web(options: PresetOptions): Loop {
  const loop = newLoop({ rate: 60 }, options);
  stepBudget(loop, 0.008);
  loop.start(display());
  return loop;
}

/** A phone: fewer steps and frames save battery and heat, and blending hides the difference. */
export function mobile(options: PresetOptions): Loop {
  const loop = newLoop({ rate: 30 }, options);
  stepBudget(loop, 0.008);
  loop.start(display({ frameCap: 60 }));
  return loop;
}

/**
 * One step per refresh, as on a console: the display's rate is the step rate, and a dropped frame slows the game down. In
 * browsers only, and not for replays.
 */
export async function consoleLike(options: PresetOptions): Promise<Loop> {
  const screen = display();
  const loop = newLoop({ rate: await screen.rate(), maxSteps: 1 }, options);
  loop.start(screen);
  return loop;
}

/** A game server: it catches up after stalls of up to a second, so that no time is lost. */
export function server(options: PresetOptions): Loop {
  const loop = newLoop({ rate: 60 }, options);
  catchUp(loop, 1);
  loop.start(timer());
  return loop;
}

/** The tick of a network protocol: 20 steps per second, which catch up after stalls of up to two seconds. */
export function networkTick(options: PresetOptions): Loop {
  const loop = newLoop({ rate: 20 }, options);
  catchUp(loop, 2);
  loop.start(timer());
  return loop;
}
