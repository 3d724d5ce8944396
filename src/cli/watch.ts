// In a worker: how far a simulation is, for those who wait for it.
import type { Simulation } from "../sim/index.js";
import { placeOf } from "./place.js";
import { thrownText } from "./text.js";

/** What a worker and who waits for it share: steps begun so far, the last one's tick, and where it will end. */
export const BEGUN = 0;
export const TICK = 1;
export const START = 2;
export const END = 3;
export const PULSE_BYTES = 4 * Float64Array.BYTES_PER_ELEMENT;

/** The tick of a pulse while nothing was stepped yet, and within init. */
export const NOWHERE = -1;
export const INIT = -2;

/** A step, or init, that threw. */
export class StepFailed extends Error {
  /** Of the step; undefined for init. */
  readonly tick: number | undefined;

  constructor(message: string, tick: number, cause: unknown) {
    super(message, { cause });
    this.tick = tickOf(tick);
  }
}

/** The tick of a pulse, if it is that of a step. */
export const tickOf = (tick: number): number | undefined => (tick >= 0 ? tick : undefined);

/**
 * The same simulation, whose steps are counted, and whose errors say where. It inherits all but step and init: it may be of
 * another copy of the library, whose functions it would not get through.
 */
export function watched(simulation: Simulation, pulse: Float64Array, whose: string): Simulation {
  const { options } = simulation;
  const call = (tick: number, name: string, run: () => void) => {
    pulse[BEGUN]! += 1;
    pulse[TICK] = tick;
    try {
      return run();
    } catch (error) {
      throw new StepFailed(`${whose}${name} threw ${thrownText(error)}${placeOf(error)}`, tick, error);
    }
  };
  const own: Partial<typeof options> = {
    step: (world, inputs, context) =>
      call(context.tick, `the step of tick ${context.tick}`, () => options.step(world, inputs, context)),
  };
  if (options.init) own.init = (world, context) => call(INIT, "init", () => options.init!(world, context));
  return Object.create(simulation, {
    options: { value: Object.assign(Object.create(options), own) },
  }) as Simulation;
}
