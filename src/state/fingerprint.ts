import { random } from "../math/index.js";
import { hashText } from "./hash.js";
import type { Leaf } from "./leaves.js";

/** Of a title and of all that decides what lies where: not of marks, as a state does not show how it is blended. */
export function fingerprintOf(title: string, leaves: readonly Leaf[]): string {
  const lines = leaves.map(({ head, tail, type, width, length, rows, form, names, offset }) => [
    head,
    tail,
    type,
    width,
    length,
    rows,
    form,
    names,
    offset,
  ]);
  // 64 bits of the text. As JSON, so that no name can look like two.
  const dice = random(new Uint32Array(4)).seed(JSON.stringify([title, lines]));
  return hashText([dice.u32(), dice.u32()]);
}
