// In a worker: reports the progress of a simulation to the main thread.
import type { Simulation } from "../sim/index.js";
import { locationOf } from "./source-location.js";
import { failureText } from "./text.js";

/** Indices of the numbers that a worker shares with the pool: steps begun so far, the current tick, the first and the last tick. */
export const BEGUN = 0;
export const TICK = 1;
export const START = 2;
export const END = 3;
export const PULSE_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

/** Values of `TICK` before the first step, and within init. */
export const NOT_STARTED = -1;
export const INIT = -2;

/** A step, or init, that threw. */
export class StepFailed extends Error {
  /** The tick of the step; undefined for init. */
  readonly tick: number | undefined;

  constructor(message: string, tick: number, cause: unknown) {
    super(message, { cause });
    this.tick = tickOf(tick);
  }
}

/** Returns the tick, if `TICK` is that of a step. */
export const tickOf = (tick: number): number | undefined => (tick >= 0 ? tick : undefined);

/**
 * Wraps a simulation, to count its steps and to say where an error was thrown. The wrapper inherits everything but step, beats and init,
 * instead of being created by simulation(), as the simulation may belong to another copy of the library.
 */
export function watched(simulation: Simulation, pulse: Float64Array, label: string): Simulation {
  const { options } = simulation;
  const explain = (tick: number, name: string, run: () => void) => {
    try {
      return run();
    } catch (error) {
      throw new StepFailed(`${label}${failureText(name, error)}${locationOf(error)}`, tick, error);
    }
  };
  const call = (tick: number, name: string, run: () => void) => {
    pulse[BEGUN]! += 1;
    pulse[TICK] = tick;
    return explain(tick, name, run);
  };
  const own: { -readonly [K in keyof typeof options]?: (typeof options)[K] } = {
    step: (world, inputs, context) =>
      call(context.tick, `the step of tick ${context.tick}`, () => options.step(world, inputs, context)),
  };
  if (options.beats)
    own.beats = Object.fromEntries(
      Object.entries(options.beats).map(([name, beat]) => [
        name,
        {
          rate: beat.rate,
          run: (world, context) =>
            explain(context.tick, `the beat ${JSON.stringify(name)} of tick ${context.tick}`, () =>
              beat.run(world, context),
            ),
        } satisfies typeof beat,
      ]),
    );
  if (options.init) own.init = (world, context) => call(INIT, "init", () => options.init!(world, context));
  return Object.create(simulation, {
    options: { value: Object.assign(Object.create(options), own) },
  }) as Simulation;
}
