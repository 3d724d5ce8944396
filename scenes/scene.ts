import { random, type Random } from "../src/math/index.js";
import type { AnySimulation, InputFields, InputRequest, InputValues } from "../src/sim/index.js";

/** A simulation, and a script that plays it. */
export interface Scene<I extends InputFields = InputFields> {
  readonly simulation: AnySimulation;
  /** Writes the inputs of a tick. Depends only on the tick, so it may be called repeatedly and in any order. */
  script(players: readonly InputValues<I>[], tick: number): void;
}

/** Returns the script as the `inputs` option of a session. */
export const inputsOf =
  <I extends InputFields>({ script }: Pick<Scene<I>, "script">) =>
  (players: readonly InputValues<I>[], { tick }: InputRequest): void =>
    script(players, tick);

const dice = random(new Uint32Array(4));

/** Returns a random generator for a script, seeded by `part` and the stretch of ticks. It is shared: use it before the next call. */
export function diceAt(part: number, tick: number, stretch: number): Random {
  return dice.seed(Math.floor(tick / stretch) * 1024 + part);
}
