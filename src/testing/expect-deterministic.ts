import type { InputFields } from "../input/index.js";
import { syncTest, type AnySimulation, type SyncTestOptions } from "../sim/index.js";
import type { Fields } from "../state/index.js";

/** Runs a sync test, and throws if it fails, with the tick and the fields. Works in any test runner. */
export function expectDeterministic<I extends InputFields, P extends number>(
  simulation: AnySimulation<Fields, I, P>,
  options: SyncTestOptions<I, P> = {},
): void {
  const result = syncTest(simulation, options);
  if (!result.ok) throw new Error(result.message);
}
