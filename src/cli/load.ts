// In a worker: loads the user's module, and finds the simulation in it.
import { pathToFileURL } from "node:url";
import type { Simulation } from "../sim/index.js";
import type { ModuleSpec } from "./module.js";
import { nearest } from "../errors/index.js";
import { locationOf } from "./source-location.js";
import { CliError } from "./cli-error.js";
import { importTypeScript, isTypeScript } from "./typescript.js";
import { thrownText } from "./text.js";

type Exports = Record<string, unknown>;

/** Imports a module and returns its simulation. Throws an error that lists the exports, if it has none. */
export async function loadSimulation(spec: ModuleSpec): Promise<Simulation> {
  const { path, shown, name } = spec;
  let exports: Exports;
  try {
    exports = unwrapped(await (isTypeScript(path) ? importTypeScript(path, shown) : importFile(path)));
  } catch (error) {
    if (error instanceof CliError) throw error;
    if ((error as NodeJS.ErrnoException | null)?.code === "ERR_UNKNOWN_FILE_EXTENSION")
      throw new CliError(
        `${shown} is not a module: give the .js, .mjs or .ts file that exports the simulation.`,
      );
    const location = locationOf(error);
    // Node does not say where the syntax error is.
    const hint =
      error instanceof SyntaxError && location === "" ? `\nRun node ${shown} to see the line.` : "";
    throw new CliError(`${shown} could not be loaded: ${thrownText(error)}${location}${hint}`);
  }
  const simulation = simulationIn(exports, shown, name);
  EXPORTS.set(simulation, exports);
  return simulation;
}

const EXPORTS = new WeakMap<object, Exports>();

/** Returns all exports of the module that a simulation was loaded from. The simulation may be wrapped. */
export function exportsBeside(simulation: Simulation): Exports | undefined {
  for (let it: object | null = simulation; it; it = Object.getPrototypeOf(it) as object | null) {
    const found = EXPORTS.get(it);
    if (found) return found;
  }
  return undefined;
}

const importFile = (path: string): Promise<unknown> => import(pathToFileURL(path).href);

/**
 * Returns the exports as the source has them. Without `"type": "module"` in package.json, loaders compile to CommonJS, and the default
 * export is then an object with all exports.
 */
function unwrapped(exports: unknown): Exports {
  const inner = (exports as Exports)["default"] as Exports | null | undefined;
  return (typeof inner === "object" && inner?.["__esModule"] === true ? inner : exports) as Exports;
}

function simulationIn(exports: Exports, shown: string, name: string | undefined): Simulation {
  // CommonJS and some loaders add these.
  const names = Object.keys(exports).filter((other) => other !== "__esModule" && other !== "module.exports");
  const found = names.filter((other) => isSimulation(exports[other]));
  if (name !== undefined) {
    const value = exports[name];
    if (isSimulation(value)) return value;
    if (name in exports)
      throw new CliError(`${shown}: the export ${name} is ${kindOf(value)}, not a simulation.`);
    const other = nearest(name, found);
    throw new CliError(
      `${shown} has no export ${name}. ${other === undefined ? listOf(names, exports) : `Did you mean ${other}?`}`,
    );
  }
  if (isSimulation(exports["default"])) return exports["default"];
  // The same simulation may have two names.
  if (new Set(found.map((other) => exports[other])).size === 1) return exports[found[0]!] as Simulation;
  if (found.length > 1)
    throw new CliError(
      `${shown} exports several simulations: ${found.join(", ")}. Choose one: ${shown}#${found[0]}.`,
    );
  throw new CliError(`${shown} exports no simulation. ${listOf(names, exports)}`);
}

const listOf = (names: readonly string[], exports: Exports) =>
  names.length === 0
    ? "It exports nothing."
    : `It exports ${names.map((name) => `${name} (${kindOf(exports[name])})`).join(", ")}.`;

/** Checks the structure, not the class: a loader may have created another copy of the class. */
function isSimulation(value: unknown): value is Simulation {
  const it = value as Partial<Simulation> | null | undefined;
  return (
    typeof it === "object" &&
    typeof it?.fingerprint === "string" &&
    typeof it.layout?.allocate === "function" &&
    typeof it.options?.step === "function"
  );
}

function kindOf(value: unknown): string {
  if (isSimulation(value)) return "a simulation";
  if (typeof value === "function") return "a function";
  if (Array.isArray(value)) return "an array";
  if (value === null || value === undefined) return `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
