import { random } from "../math/index.js";
import type { Leaf } from "./leaves.js";

/** 64 bits of a text, as hexadecimal digits. */
export function digestOf(text: string): string {
  const dice = random(new Uint32Array(4)).seed(text);
  return [dice.u32(), dice.u32()].map((word) => word.toString(16).padStart(8, "0")).join("");
}

/** Of all that decides where what lies: not of how it is blended, which no state shows. */
export function fingerprintOf(leaves: readonly Leaf[]): string {
  const lines = leaves.map(
    ({ head, tail, type, width, rows, form, names = [], offset }) =>
      `${head}[]${tail}:${type}*${width}*${rows}@${offset} ${form} ${names.join()}`,
  );
  return digestOf(lines.join("\n"));
}
