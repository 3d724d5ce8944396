// In a worker: the user's module, and the simulation in it.
import { pathToFileURL } from "node:url";
import type { Simulation } from "../sim/index.js";
import type { ModuleSpec } from "./module.js";
import { nearest } from "../errors/index.js";
import { placeOf } from "./place.js";
import { CliError } from "./cli-error.js";
import { importTypeScript, isTypeScript } from "./typescript.js";
import { thrownText } from "./text.js";

type Exports = Record<string, unknown>;

/** The simulation of a module; or an error that tells what the module exports. */
export async function loadSimulation(spec: ModuleSpec): Promise<Simulation> {
  const { path, shown, name } = spec;
  let exports: Exports;
  try {
    exports = (await (isTypeScript(path) ? importTypeScript(path, shown) : importFile(path))) as Exports;
  } catch (error) {
    if (error instanceof CliError) throw error;
    const place = placeOf(error);
    // Node keeps to itself where that is.
    const hint =
      error instanceof SyntaxError && place === "" ? `\nTry node ${shown}, which shows the line.` : "";
    throw new CliError(`${shown} could not be loaded: ${thrownText(error)}${place}${hint}`);
  }
  return chosen(exports, shown, name);
}

const importFile = (path: string): Promise<unknown> => import(pathToFileURL(path).href);

function chosen(exports: Exports, shown: string, name: string | undefined): Simulation {
  // What CommonJS and some loaders add.
  const names = Object.keys(exports).filter((other) => other !== "__esModule" && other !== "module.exports");
  const found = names.filter((other) => isSimulation(exports[other]));
  if (name !== undefined) {
    const value = exports[name];
    if (isSimulation(value)) return value;
    if (name in exports)
      throw new CliError(`${shown}: the export ${name} is ${kindOf(value)}, and no simulation.`);
    const other = nearest(name, found);
    throw new CliError(
      `${shown} has no export ${name}. ${other === undefined ? listOf(names, exports) : `Did you mean ${other}?`}`,
    );
  }
  if (isSimulation(exports["default"])) return exports["default"];
  // The same one by two names is one.
  if (new Set(found.map((other) => exports[other])).size === 1) return exports[found[0]!] as Simulation;
  if (found.length > 1)
    throw new CliError(
      `${shown} exports several simulations: ${found.join(", ")}. Say which: ${shown}#${found[0]}.`,
    );
  throw new CliError(`${shown} exports no simulation. ${listOf(names, exports)}`);
}

const listOf = (names: readonly string[], exports: Exports) =>
  names.length === 0
    ? "It exports nothing."
    : `It exports ${names.map((name) => `${name} (${kindOf(exports[name])})`).join(", ")}.`;

/** By what it has and not by its class: a loader may have made another copy of that. */
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
  if (Array.isArray(value)) return "a list";
  if (value === null || value === undefined) return `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
