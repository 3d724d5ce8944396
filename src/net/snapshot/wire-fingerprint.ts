import { random } from "../../math/index.js";
import { hashText } from "../../state/index.js";
import type { WireFields } from "./wire-fields.js";

/** Changes with every change to what the codec writes. */
const VERSION = 2;

/** Hashes all that both ends must agree on: the version of the codec, the layout, and the marks of its fields. */
export function wireFingerprintOf({ layout, isLossless, hasBookkeeping, sections }: WireFields): string {
  const columns = sections.map(({ path, rows, columns: own }) => [
    path,
    rows,
    own.map(({ leaf, form, first, count, velocity }) => [
      leaf.head + leaf.tail,
      form,
      first,
      count,
      leaf.quantum,
      velocity?.column.first,
      velocity?.scale,
    ]),
  ]);
  const text = JSON.stringify([VERSION, layout.fingerprint, isLossless, hasBookkeeping, columns]);
  const dice = random(new Uint32Array(4)).seed(text);
  return hashText([dice.u32(), dice.u32()]);
}
