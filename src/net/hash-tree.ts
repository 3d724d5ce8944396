import type { Layout } from "../state/index.js";

/** Bytes of a leaf. The areas of a state are multiples of it, so a leaf holds numbers of one kind. */
export const LEAF_BYTES = 64;
/** Children of a node. */
export const FAN_OUT = 16;

/**
 * A tree of hashes over the bytes of a state, to find what differs from another state without sending either. Level 0 holds the
 * hashes of the leaves, and the last level, of at most `FAN_OUT` nodes, is the top. A difference in a single number changes
 * every hash above it for certain. As in the hash of a state, all NaN are equal, and 0 and -0 differ. Not cryptographic.
 */
export class HashTree {
  readonly levels: readonly Uint32Array[];

  /** `body` holds the bytes of a state of this layout, without a header. */
  constructor(layout: Layout, body: Uint8Array) {
    const levels = [leafHashes(layout, body)];
    for (const size of levelSizes(layout.size).slice(1)) levels.push(parentHashes(levels.at(-1)!, size));
    this.levels = levels;
  }
}

/** Returns the number of nodes in each level of the tree of a state of `bytes` bytes, leaves first. */
export function levelSizes(bytes: number): number[] {
  const sizes = [Math.ceil(bytes / LEAF_BYTES)];
  while (sizes.at(-1)! > FAN_OUT) sizes.push(Math.ceil(sizes.at(-1)! / FAN_OUT));
  return sizes;
}

/** Returns the state itself, given the result of `State.bytes`, which has a header. */
export function bodyOf(layout: Layout, bytes: Uint8Array): Uint8Array {
  return bytes.subarray(bytes.length - layout.size);
}

/** A bijection of the hash for a given word, and of the word for a given hash: a single change is never lost. */
export function absorb(hash: number, word: number): number {
  let x = hash ^ word;
  x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
  x = Math.imul(x ^ (x >>> 13), 0x297a2d39);
  return x ^ (x >>> 16);
}

function leafHashes({ areas, size }: Layout, body: Uint8Array): Uint32Array {
  const view = new DataView(body.buffer, body.byteOffset, size);
  const hashes = new Uint32Array(Math.ceil(size / LEAF_BYTES));
  const floats = areas.f64 + areas.f32;
  for (let leaf = 0; leaf < hashes.length; leaf++) {
    const from = leaf * LEAF_BYTES;
    const to = Math.min(from + LEAF_BYTES, size);
    let hash = leaf;
    if (from < areas.f64)
      for (let at = from; at < to; at += 8) {
        const isNaN = Number.isNaN(view.getFloat64(at, true));
        hash = absorb(hash, isNaN ? 0 : view.getInt32(at, true));
        hash = absorb(hash, isNaN ? 0x7ff80000 : view.getInt32(at + 4, true));
      }
    else if (from < floats)
      for (let at = from; at < to; at += 4)
        hash = absorb(hash, Number.isNaN(view.getFloat32(at, true)) ? 0x7fc00000 : view.getInt32(at, true));
    else for (let at = from; at < to; at += 4) hash = absorb(hash, view.getInt32(at, true));
    hashes[leaf] = hash;
  }
  return hashes;
}

function parentHashes(children: Uint32Array, size: number): Uint32Array {
  const hashes = new Uint32Array(size);
  children.forEach((child, i) => {
    const parent = Math.floor(i / FAN_OUT);
    hashes[parent] = absorb(hashes[parent]!, child);
  });
  return hashes;
}
