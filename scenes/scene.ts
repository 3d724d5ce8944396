import { random, type Random } from "../src/math/index.js";
import type { AnySimulation, InputFields, InputRequest, InputValues } from "../src/sim/index.js";
import type { Hash } from "../src/state/index.js";

/** A simulation, and what its players do where nobody plays. */
export interface Scene<I extends InputFields = InputFields> {
  readonly simulation: AnySimulation;
  /** Writes what players do in a tick, by nothing but its number: it may be asked twice, and in any order. */
  script(players: readonly InputValues<I>[], tick: number): void;
}

/** The script, as sessions ask for inputs. */
export const inputsOf =
  <I extends InputFields>({ script }: Pick<Scene<I>, "script">) =>
  (players: readonly InputValues<I>[], { tick }: InputRequest): void =>
    script(players, tick);

/** A hash as text: 16 hexadecimal digits. */
export const hashText = (hash: Hash): string =>
  hash.map((word) => word.toString(16).padStart(8, "0")).join("");

const dice = random(new Uint32Array(4));

/** Chance for the scripts: of a part of one, and of a stretch of so many ticks. Use it at once: there is only one. */
export function diceAt(part: number, tick: number, stretch: number): Random {
  return dice.seed(Math.floor(tick / stretch) * 1024 + part);
}
