import { ARRAYS } from "./fields.js";
import type { Kernels } from "./kernels.js";
import { isSmall, sizeOf, type Areas } from "./leaf-offsets.js";
import type { Leaf } from "./leaves.js";

/** A range of a state that one kernel call copies from the previous state, or blends. */
export interface Piece {
  /** The kernel to call. */
  readonly by: Exclude<keyof Kernels, "name" | "hash" | "blend">;
  /** Offset in bytes from the start of a state. */
  readonly from: number;
  /** Bytes to copy, or numbers or quaternions to blend. */
  count: number;
  /** Offset of the velocities, for "hermite". */
  readonly velocity: number;
}

/**
 * Lists the pieces that blend two states into a third. Copies come first, because they also copy the small blended leaves
 * between them, which are blended afterwards.
 */
export function piecesOf(leaves: readonly Leaf[], { size }: Areas): Piece[] {
  const copies: Piece[] = [];
  const blends: Piece[] = [];
  const addCopy = (from: number, to: number) => {
    if (to > from) copies.push({ by: "copy", from, count: to - from, velocity: 0 });
  };
  let end = 0;
  for (const leaf of leaves.filter(({ blendMode }) => blendMode).sort((a, b) => a.offset - b.offset)) {
    addBlend(blends, leaf);
    if (isSmall(leaf)) continue;
    addCopy(end, leaf.offset);
    end = leaf.offset + sizeOf(leaf);
  }
  addCopy(end, size);
  return [...copies, ...blends];
}

/** Adds a leaf. Adjacent leaves with the same mode become one piece. */
function addBlend(pieces: Piece[], leaf: Leaf): void {
  const { offset: from, velocityLeaf } = leaf;
  const mode = leaf.blendMode!;
  const isQuat = mode === "slerp" || mode === "nlerp";
  const by = `${mode}${leaf.type === "f64" ? 64 : 32}` as Piece["by"];
  const unit = ARRAYS[leaf.type].BYTES_PER_ELEMENT * (isQuat ? 4 : 1);
  const count = sizeOf(leaf) / unit;
  const last = pieces.at(-1);
  if (last?.by === by && last.from + last.count * unit === from && mode !== "hermite") last.count += count;
  else pieces.push({ by, from, count, velocity: velocityLeaf?.offset ?? 0 });
}
