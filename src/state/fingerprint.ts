import { random } from "../math/index.js";
import type { Leaf } from "./leaves.js";

/** Of a title and of all that decides where what lies: not of how it is blended, which no state shows. */
export function fingerprintOf(title: string, leaves: readonly Leaf[]): string {
  const lines = leaves.map(
    ({ head, tail, type, width, rows, form, names = [], offset }) =>
      `${head}[]${tail}:${type}*${width}*${rows}@${offset} ${form} ${names.join()}`,
  );
  // 64 bits of the text, as hexadecimal digits.
  const dice = random(new Uint32Array(4)).seed([title, ...lines].join("\n"));
  return [dice.u32(), dice.u32()].map((word) => word.toString(16).padStart(8, "0")).join("");
}
