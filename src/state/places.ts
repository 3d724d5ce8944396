// Where leaves lie in a state, and what is done to blend two of them.
import { ARRAYS } from "./fields.js";
import type { Kernels } from "./kernels.js";
import type { Leaf } from "./leaves.js";

/** What starts at a multiple of it is read by whole cache lines, and copied at the memory's speed. */
const LINE = 64;

const sizeOf = (leaf: Leaf): number => ARRAYS[leaf.type].BYTES_PER_ELEMENT * leaf.stride * leaf.rows;

const toMultiple = (bytes: number, unit: number) => Math.ceil(bytes / unit) * unit;

const isSmall = (leaf: Leaf) => sizeOf(leaf) < LINE;

/** Bytes of the three areas that a state has, one after the other: doubles, floats, whole numbers. */
export interface Areas {
  readonly f64: number;
  readonly f32: number;
  readonly int: number;
  readonly size: number;
}

/**
 * Gives each leaf its place, whatever its mark: a state is read by who blends it otherwise. Floats lie apart from whole
 * numbers, as a hash knows NaN only there; in an area, small leaves come first, so that they share lines.
 */
export function place(leaves: readonly Leaf[]): Areas {
  let end = 0;
  const area = (isIn: (leaf: Leaf) => boolean): number => {
    const from = end;
    const within = leaves.filter(isIn);
    for (const leaf of [...within.filter(isSmall), ...within.filter((leaf) => !isSmall(leaf))]) {
      leaf.offset = toMultiple(end, isSmall(leaf) ? ARRAYS[leaf.type].BYTES_PER_ELEMENT : LINE);
      end = leaf.offset + sizeOf(leaf);
    }
    end = toMultiple(end, LINE);
    return end - from;
  };
  const f64 = area((leaf) => leaf.type === "f64");
  const f32 = area((leaf) => leaf.type === "f32");
  const int = area((leaf) => leaf.type !== "f64" && leaf.type !== "f32");
  return { f64, f32, int, size: end };
}

/** A piece of a state: copied from the previous one, or blended. */
export interface Piece {
  /** Which of the kernels does it. */
  readonly by: Exclude<keyof Kernels, "name" | "hash" | "blend">;
  readonly from: number;
  /** How many bytes are copied, or numbers or quaternions are blended. */
  count: number;
  /** Where the velocities lie. */
  readonly velocity: number;
}

/** What makes a blend of two states, in this order: the copies first, as what is small is copied with its neighbours. */
export function piecesOf(leaves: readonly Leaf[], { size }: Areas): Piece[] {
  const copies: Piece[] = [];
  const blends: Piece[] = [];
  const copy = (from: number, to: number) => {
    if (to > from) copies.push({ by: "copy", from, count: to - from, velocity: 0 });
  };
  let end = 0;
  for (const leaf of leaves.filter(({ mark }) => mark).sort((a, b) => a.offset - b.offset)) {
    blend(blends, leaf);
    if (isSmall(leaf)) continue;
    copy(end, leaf.offset);
    end = leaf.offset + sizeOf(leaf);
  }
  copy(end, size);
  return [...copies, ...blends];
}

/** Neighbours that are blended alike are one piece. */
function blend(pieces: Piece[], leaf: Leaf): void {
  const { offset: from, velocityLeaf } = leaf;
  const mark = leaf.mark!;
  const isQuat = mark === "slerp" || mark === "nlerp";
  const by = `${mark}${leaf.type === "f64" ? 64 : 32}` as Piece["by"];
  const unit = ARRAYS[leaf.type].BYTES_PER_ELEMENT * (isQuat ? 4 : 1);
  const count = sizeOf(leaf) / unit;
  const last = pieces.at(-1);
  if (last?.by === by && last.from + last.count * unit === from && mark !== "hermite") last.count += count;
  else pieces.push({ by, from, count, velocity: velocityLeaf?.offset ?? 0 });
}
