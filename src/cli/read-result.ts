// In a worker: the user's function that reads a result, such as a score, from the last state of a recording.
import type { LocalSession, Simulation } from "../sim/index.js";
import { exportsBeside } from "./load.js";
import { locationOf } from "./source-location.js";
import { thrownText } from "./text.js";

/** What the function returned, or what is wrong with it. */
export interface ReadResult {
  readonly result?: unknown;
  readonly problem?: string;
}

/** The longest result, as JSON. It is stored with each verdict. */
const MAX_CHARACTERS = 65_536;

/** Returns a function that calls `readResult` of the simulation's module; undefined if it exports none. */
export function resultReader(simulation: Simulation): ((session: LocalSession) => ReadResult) | undefined {
  const read = exportsBeside(simulation)?.["readResult"];
  if (typeof read !== "function") return undefined;
  return ({ world, tick }) => {
    try {
      const json = JSON.stringify(read(world, { tick }), requireJson);
      if (json === undefined) return { problem: "readResult returned nothing: return a value for JSON" };
      if (json.length > MAX_CHARACTERS)
        return {
          problem: `readResult returned ${json.length} characters of JSON, the limit is ${MAX_CHARACTERS}`,
        };
      return { result: JSON.parse(json) };
    } catch (error) {
      return { problem: `readResult threw ${thrownText(error)}${locationOf(error)}` };
    }
  };
}

/** JSON has no such numbers: they would become null, and a score of null is no score. */
function requireJson(name: string, value: unknown): unknown {
  if (typeof value === "number" && !Number.isFinite(value))
    throw new RangeError(`${name === "" ? "the result" : name} is ${value}, which JSON does not have`);
  return value;
}
