// Where leaves lie in a state, and what is done to blend two of them.
import { ARRAYS } from "./fields.js";
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

/** A piece of a state: copied from the previous one, or blended by a mark. */
export interface Piece {
  readonly mark: NonNullable<Leaf["mark"]> | "copy";
  readonly type: Leaf["type"];
  readonly from: number;
  bytes: number;
  /** Where the velocities lie. */
  readonly velocity: number;
}

/** What makes a blend of two states, in this order: the copies first, as what is small is copied with its neighbours. */
export function piecesOf(leaves: readonly Leaf[], { size }: Areas): Piece[] {
  const copies: Piece[] = [];
  const blends: Piece[] = [];
  const copy = (from: number, to: number) => {
    if (to > from) copies.push({ mark: "copy", type: "u8", from, bytes: to - from, velocity: 0 });
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
  const { type, offset: from, velocityLeaf } = leaf;
  const mark = leaf.mark!;
  const bytes = sizeOf(leaf);
  const last = pieces.at(-1);
  const isAlike = last && last.mark === mark && last.type === type && mark !== "hermite";
  if (isAlike && last.from + last.bytes === from) last.bytes += bytes;
  else pieces.push({ mark, type, from, bytes, velocity: velocityLeaf?.offset ?? 0 });
}
