import type { InputFields } from "../input/index.js";
import { syncTest, type AnySimulation, type CommandFields, type SyncTestOptions } from "../sim/index.js";
import type { Fields } from "../state/index.js";

/** Runs a sync test, and throws if it fails, with the tick and the fields. Works in any test runner. */
export function expectDeterministic<I extends InputFields, P extends number, C extends CommandFields>(
  simulation: AnySimulation<Fields, I, P, C>,
  options: SyncTestOptions<I, P, C> = {},
): void {
  const result = syncTest(simulation, options);
  if (!result.ok) throw new Error(result.message);
}
