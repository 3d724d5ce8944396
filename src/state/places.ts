// Where leaves lie in a state, and what is done to blend two of them.
import { ARRAYS } from "./fields.js";
import type { Leaf } from "./leaves.js";

/** What starts at a multiple of it is read by whole cache lines, and copied at the memory's speed. */
const LINE = 64;

export const sizeOf = (leaf: Leaf): number => ARRAYS[leaf.type].BYTES_PER_ELEMENT * leaf.width * leaf.rows;

const toLine = (bytes: number) => Math.ceil(bytes / LINE) * LINE;

/** Bytes of the three areas that a state has, one after the other: doubles, floats, whole numbers. */
export interface Areas {
  readonly f64: number;
  readonly f32: number;
  readonly whole: number;
  readonly size: number;
}

/**
 * Gives each leaf its place. Floats lie apart from whole numbers, as a hash knows NaN only there; in an area, what is
 * blended comes last, so that the rest is copied in one piece; and small ones come first, so that they share lines.
 */
export function place(leaves: readonly Leaf[]): Areas {
  let end = 0;
  const area = (isIn: (leaf: Leaf) => boolean): number => {
    const from = end;
    const rank = (leaf: Leaf) => (leaf.mark ? 2 : 0) + (sizeOf(leaf) >= LINE ? 1 : 0);
    const within = leaves.filter(isIn);
    for (const wanted of [0, 1, 2, 3])
      for (const leaf of within) {
        if (rank(leaf) !== wanted) continue;
        const unit = sizeOf(leaf) >= LINE ? LINE : ARRAYS[leaf.type].BYTES_PER_ELEMENT;
        leaf.offset = Math.ceil(end / unit) * unit;
        end = leaf.offset + sizeOf(leaf);
      }
    end = toLine(end);
    return end - from;
  };
  const f64 = area((leaf) => leaf.type === "f64");
  const f32 = area((leaf) => leaf.type === "f32");
  const whole = area((leaf) => leaf.type !== "f64" && leaf.type !== "f32");
  return { f64, f32, whole, size: end };
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

/** The whole of a state as pieces, as few as it can be. */
export function piecesOf(leaves: readonly Leaf[], { size }: Areas): Piece[] {
  const pieces: Piece[] = [];
  const add = (mark: Piece["mark"], type: Leaf["type"], from: number, bytes: number, velocity = 0) => {
    const last = pieces.at(-1);
    const joins = last && last.mark === mark && (mark === "copy" || last.type === type) && mark !== "hermite";
    if (joins && last.from + last.bytes === from) last.bytes += bytes;
    else if (bytes > 0) pieces.push({ mark, type, from, bytes, velocity });
  };
  let end = 0;
  for (const leaf of leaves.filter(({ mark }) => mark).sort((a, b) => a.offset - b.offset)) {
    const { mark, type, offset } = leaf;
    // What lies between two of them is copied too.
    add("copy", type, end, offset - end);
    add(mark!, type, offset, sizeOf(leaf), velocityOf(leaf, leaves)?.offset);
    end = offset + sizeOf(leaf);
  }
  add("copy", "u8", end, size - end);
  return pieces;
}

function velocityOf({ head, tail, name, velocity }: Leaf, leaves: readonly Leaf[]): Leaf | undefined {
  const beside = tail.slice(0, tail.length - name.length) + velocity;
  return leaves.find((leaf) => !leaf.hidden && leaf.head === head && leaf.tail === beside);
}
