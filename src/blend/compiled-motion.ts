import type { Curve } from "./curve.js";
import { Extrapolation } from "./extrapolation.js";
import type { FieldPaths, Path } from "./passes.js";

// The code that remembers motion. In it: o object, P and C previous and current numbers, S shown numbers, r all of them, k where
// the numbers of the object begin, d the seconds of the step, M the motion of each field. Short methods are inline, as a call
// per field and object costs more than what it does.

/** The code that gets a value of an object. */
export const at = (object: string, path: Path) =>
  `${object}${path.map((key) => `[${JSON.stringify(key)}]`).join("")}`;
export const number = (array: string, i: number) => `${array}[k+${i}]`;

/** Calls a method of `Motion`. */
function call(method: string, { from, paths, extra }: FieldPaths, f: number, out = ""): string {
  return `M[${f}].${method}(${out}r,k+${from},${paths.length},k+${extra},${paths.length});`;
}

export const forget = (field: FieldPaths, f: number) => (field.motion ? call("forget", field, f) : "");

const read = (array: string, { from, paths }: FieldPaths) =>
  paths.map((path, j) => `${number(array, from + j)}=${at("o", path)};`).join("");
const readVelocity = (array: string, { extra, velocity }: FieldPaths) =>
  velocity.map((path, j) => `${number(array, extra + j)}=${at("o", path)}*d;`).join("");

/** Reads the previous state. */
export function enter(field: FieldPaths, f: number): string {
  const { motion } = field;
  if (!motion) return read("P", field);
  if (motion instanceof Extrapolation) return enterExtrapolation(field);
  if (!motion.isAngle) return readVelocity("P", field) + enterCurve(field, motion);
  return readVelocity("P", field) + read("S", field) + call("enter", field, f);
}

/** The same as `Extrapolation.enter`. */
function enterExtrapolation({ from, paths, extra }: FieldPaths): string {
  const reads = paths.map((path, j) => `const x${j}=${at("o", path)};`).join("");
  const isUnwritten = paths.map((_, j) => `x${j}===${number("C", from + j)}`).join("&&");
  const set = (next: (j: number) => string) =>
    paths.map((_, j) => `${number("P", extra + j)}=${next(j)};`).join("");
  const moved = set((j) => number("C", extra + j));
  const previous = paths.map((_, j) => `${number("P", from + j)}=x${j};`).join("");
  return `{${reads}if(${isUnwritten}){${moved}}else{${set((j) => `x${j}`)}}${previous}}`;
}

/** The same as `Curve.enter`, of numbers that are not angles. */
function enterCurve({ from, paths, extra }: FieldPaths, { isGiven }: Curve): string {
  const width = paths.length;
  return paths
    .map((path, j) => {
      const [i, v] = [from + j, extra + j];
      const slots = isGiven ? [v + width] : [v, v + width, v + 2 * width];
      const known = slots.map((slot) => `${number("P", slot)}=${number("C", slot)};`).join("");
      const unknown = slots.map((slot) => `${number("P", slot)}=NaN;`).join("");
      const velocity = number("C", v);
      const move = isGiven
        ? ""
        : `if(${velocity}===${velocity})${velocity}=${number("C", i)}-${number("P", i)};`;
      const none = isGiven ? "" : `${velocity}=NaN;`;
      const isUnwritten = `x===${number("C", i)}`;
      return `{const x=${at("o", path)};if(${isUnwritten}){${known}${move}}else{${unknown}${none}}${number("P", i)}=x;}`;
    })
    .join("");
}

/** Reads the current state. */
export const readCurrent = (field: FieldPaths) => read("C", field);

/** Reads the velocity of the current state, which was read, and remembers what moved. */
export function leave(field: FieldPaths, f: number, ahead: number): string {
  const { motion, paths, extra } = field;
  if (!motion) return "";
  if (motion instanceof Extrapolation) return leaveExtrapolation(field, ahead, call("leave", field, f, "S,"));
  if (!motion.isGiven) return call("leave", field, f, "S,");
  const change = (j: number) =>
    `${number("C", extra + paths.length + j)}=${number("C", extra + j)}-${number("P", extra + j)};`;
  return readVelocity("C", field) + paths.map((_, j) => change(j)).join("");
}

/** The same as `Extrapolation.leave` for fields that move along a line; others use `general`. */
function leaveExtrapolation(
  { kind, from, paths, extra }: FieldPaths,
  ahead: number,
  general: string,
): string {
  if (kind.linearUpTo === 0) return general;
  const linear = paths
    .map((_, j) => {
      const [p, c] = [number("P", from + j), number("C", from + j)];
      return `${number("C", extra + j)}=${p}===${c}?${c}:${c}-(${c}-${p})*${1 - (1 + ahead)};`;
    })
    .join("");
  if (kind.linearUpTo === Infinity) return linear;
  const move = `${number("C", from)}-${number("P", from)}`;
  return `if(${move}>=${-kind.linearUpTo}&&${move}<=${kind.linearUpTo}){${linear}}else{${general}}`;
}
