import type { Arrays } from "./arrays.js";
import { ARRAYS } from "./fields.js";
import { BLEND_T, type Kernels } from "./kernels.js";
import type { Layout } from "./layout.js";
import type { Leaf, Owner } from "./leaves.js";
import type { Piece } from "./blend-pieces.js";

/**
 * Blends two states of a buffer into a third, by the factors of the kernels. `out`, `previous` and `current` are byte offsets.
 * `isOneTimeline` says that the world went from one of them to the other: see `Timelines`.
 */
export function blendStates(
  { pieces, owners, size }: Layout,
  kernels: Kernels,
  arrays: Arrays,
  out: number,
  previous: number,
  current: number,
  isOneTimeline: boolean,
): void {
  const alpha = kernels.factors[BLEND_T]!;
  if (alpha === 0 || alpha === 1) return kernels.copy(out, alpha === 0 ? previous : current, size);
  kernels.blend(pieces, out, previous, current);
  for (let i = 0; i < owners.length; i++)
    holdSkipped(owners[i]!, arrays, out, previous, current, isOneTimeline);
}

/** Blends or copies one piece. */
export function blendPiece(
  { by, from, count, velocity }: Piece,
  kernels: Kernels,
  out: number,
  previous: number,
  current: number,
): void {
  const to = out + from;
  const a = previous + from;
  const b = current + from;
  const va = previous + velocity;
  const vb = current + velocity;
  // `kernels[by](…)` would be shorter, but V8 would look the method up in every call.
  if (by === "copy") kernels.copy(to, a, count);
  else if (by === "lerp64") kernels.lerp64(to, a, b, count);
  else if (by === "lerp32") kernels.lerp32(to, a, b, count);
  else if (by === "angle64") kernels.angle64(to, a, b, count);
  else if (by === "angle32") kernels.angle32(to, a, b, count);
  else if (by === "hermite64") kernels.hermite64(to, a, b, va, vb, count);
  else if (by === "hermite32") kernels.hermite32(to, a, b, va, vb, count);
  else if (by === "nlerp64") kernels.nlerp64(to, a, b, count);
  else kernels.slerp64(to, a, b, count);
}

/**
 * Copies the rows that were replaced, or passed to `skipBlend`, between the two states from the previous one. On one timeline,
 * a row with the same count of skips is the same row. Between two futures, its id must be the same too.
 */
function holdSkipped(
  owner: Owner,
  { u32, f64, f32 }: Arrays,
  out: number,
  previous: number,
  current: number,
  isOneTimeline: boolean,
): void {
  const totalSkips = owner.totalSkips.offset;
  if (isOneTimeline && u32[(previous + totalSkips) / 4] === u32[(current + totalSkips) / 4]) return;
  const skips = (previous + owner.skips.offset) >>> 2;
  const nextSkips = (current + owner.skips.offset) >>> 2;
  const hasIds = !isOneTimeline && owner.ids !== undefined;
  const ids = hasIds ? (previous + owner.ids!.offset) >>> 3 : 0;
  const nextIds = hasIds ? (current + owner.ids!.offset) >>> 3 : 0;
  for (let row = 0; row < owner.rows; row++) {
    const isUnskipped = u32[skips + row] === u32[nextSkips + row];
    if (isUnskipped && (!hasIds || f64[ids + row] === f64[nextIds + row])) continue;
    for (let i = 0; i < owner.blended.length; i++) {
      const leaf = owner.blended[i]!;
      holdRow(leaf, leaf.type === "f64" ? f64 : f32, out, previous, row);
    }
  }
}

function holdRow(
  { type, offset, stride }: Leaf,
  numbers: Float64Array | Float32Array,
  out: number,
  previous: number,
  row: number,
): void {
  const size = ARRAYS[type].BYTES_PER_ELEMENT;
  const to = (out + offset) / size + row * stride;
  const from = (previous + offset) / size + row * stride;
  for (let i = 0; i < stride; i++) numbers[to + i] = numbers[from + i]!;
}
