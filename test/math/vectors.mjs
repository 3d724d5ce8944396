// Reads the reference vectors that reference.py wrote, and measures the error of a function. Plain JavaScript, as the
// bench uses it too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("vectors", import.meta.url));
/** Functions of more than one argument. */
const ARITY = /** @type {Record<string, number>} */ ({ atan2: 2, pow: 2, hypot: 3 });

/** Reads arguments, the doubles nearest to the exact values, and the exact values minus these doubles, in ulp. */
export function readVectors(/** @type {string} */ name, folder = FOLDER) {
  const arity = ARITY[name] ?? 1;
  const bytes = readFileSync(join(folder, `${name}.bin`));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.byteLength / (8 * (arity + 1) + 1);
  const column = (/** @type {number} */ index) =>
    Float64Array.from({ length: count }, (_, i) => view.getFloat64(8 * (index * count + i), true));
  return {
    count,
    arity,
    args: Array.from({ length: arity }, (_, i) => column(i)),
    nearest: column(arity),
    offsets: Float64Array.from({ length: count }, (_, i) => view.getInt8(8 * (arity + 1) * count + i) / 250),
  };
}

/** Returns the error of a result in ulp. The exact value is `offset` ulp above the double nearest to it. */
export function errorIn(
  /** @type {number} */ result,
  /** @type {number} */ nearest,
  /** @type {number} */ offset,
) {
  if (Object.is(result, nearest)) return Math.abs(offset);
  if (Number.isFinite(result) && Number.isFinite(nearest))
    return Math.abs((result - nearest) / ulpAt(nearest, offset) - offset);
  return Infinity;
}

/** Returns the distance between doubles around an exact value. */
function ulpAt(/** @type {number} */ nearest, /** @type {number} */ offset) {
  const size = Math.abs(nearest);
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, size);
  const exponent = Math.max(view.getUint16(0) >> 4, 1) - 1023;
  const isPower = view.getUint32(4) === 0 && (view.getUint32(0) & 0xfffff) === 0;
  const isBelow = isPower && offset * nearest < 0 && exponent > -1022;
  // In two steps, as some engines cannot compute the smallest powers of two directly.
  return 2 ** (exponent - 2) * 2 ** (isBelow ? -51 : -50);
}

/** Returns the largest error over all vectors, in ulp, and its arguments. */
export function worstOf(
  /** @type {(...args: number[]) => number} */ call,
  /** @type {ReturnType<typeof readVectors>} */ { count, args, nearest, offsets },
) {
  let worst = { error: 0, at: /** @type {number[]} */ ([]) };
  for (let i = 0; i < count; i++) {
    const at = args.map((column) => /** @type {number} */ (column[i]));
    const error = errorIn(
      call(...at),
      /** @type {number} */ (nearest[i]),
      /** @type {number} */ (offsets[i]),
    );
    if (!(error <= worst.error)) worst = { error, at };
  }
  return worst;
}
