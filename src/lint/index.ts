/**
 * Lint rules for ESLint and oxlint that find code that is not deterministic.
 *
 * @packageDocumentation
 */

import { noAsync } from "./no-async.js";
import { noClock } from "./no-clock.js";
import { noEngineBits } from "./no-engine-bits.js";
import { noInexactMath } from "./no-inexact-math.js";
import { noLocale } from "./no-locale.js";
import { noPower } from "./no-power.js";
import { noRandom } from "./no-random.js";
import { noTimers } from "./no-timers.js";

export type { LintRule } from "./rule.js";

const rules = {
  "no-async": noAsync,
  "no-clock": noClock,
  "no-engine-bits": noEngineBits,
  "no-inexact-math": noInexactMath,
  "no-locale": noLocale,
  "no-power": noPower,
  "no-random": noRandom,
  "no-timers": noTimers,
};

/**
 * Rules for the files of a simulation. They report code whose results can differ between engines, machines or runs. A
 * plugin for ESLint 9 and later, and for oxlint, which needs the default export.
 */
const plugin = { meta: { name: "tickwise" }, rules };
export default plugin;

const errors: Record<`tickwise/${keyof typeof rules}`, "error"> = {
  "tickwise/no-async": "error",
  "tickwise/no-clock": "error",
  "tickwise/no-engine-bits": "error",
  "tickwise/no-inexact-math": "error",
  "tickwise/no-locale": "error",
  "tickwise/no-power": "error",
  "tickwise/no-random": "error",
  "tickwise/no-timers": "error",
};

/**
 * All rules, as a flat configuration of ESLint: `export default [simulationConfig]`. It applies to files in folders
 * named `sim`; for others, use `{ ...simulationConfig, files: ["src/world/*.js"] }`.
 */
export const simulationConfig = {
  name: "tickwise/simulation",
  // With file extensions: for a pattern that ends with **, ESLint silently checks only JavaScript files.
  files: ["**/sim/**/*.{js,cjs,mjs,jsx,ts,cts,mts,tsx}"],
  plugins: { tickwise: plugin },
  rules: errors,
};
