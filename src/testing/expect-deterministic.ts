import type { InputFields } from "../input/index.js";
import {
  syncTest,
  type EffectFields,
  type Outsides,
  type Simulation,
  type SyncTestOptions,
} from "../sim/index.js";
import type { Fields } from "../state/index.js";

/** A sync test that throws what it found, with the tick and the fields: for any test runner. */
export function expectDeterministic<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends Outsides,
>(simulation: Simulation<S, I, E, O>, options: SyncTestOptions<I> = {}): void {
  const result = syncTest(simulation, options);
  if (!result.ok) throw new Error(result.message);
}
