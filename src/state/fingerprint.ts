import { random } from "../math/index.js";
import { hashText } from "./hash.js";
import type { Leaf } from "./leaves.js";

/** Hashes a title and everything that determines the memory layout. Blend modes are left out, as they do not change it. */
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
  // JSON makes the text unambiguous, whatever the names contain.
  const dice = random(new Uint32Array(4)).seed(JSON.stringify([title, lines]));
  return hashText([dice.u32(), dice.u32()]);
}
