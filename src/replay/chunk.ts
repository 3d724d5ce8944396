import { crc32 } from "./crc32.js";
import { CHUNK_HEAD, TYPES } from "./format.js";

/** A chunk that is whole: its type, where it begins, and where its body lies. */
export interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Why a file cannot be read from some byte on. */
export interface Fault {
  /** It ends too early, or what is there is wrong. */
  readonly kind: "cut" | "damaged";
  readonly offset: number;
  readonly message: string;
}

export const fault = (kind: Fault["kind"], offset: number, message: string): Fault => ({
  kind,
  offset,
  message: `byte ${offset}: ${message}`,
});

export const isFault = (value: object): value is Fault => "message" in value;

/** A chunk as bytes: type, length, checksum, body. */
export function chunkOf(type: string, ...body: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = joined(body, CHUNK_HEAD);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = type.charCodeAt(i);
  view.setUint32(4, bytes.length - CHUNK_HEAD, true);
  view.setUint32(8, checksumOf(bytes, 0, bytes.length), true);
  return bytes;
}

/** Bytes one after the other, with room before them. */
export function joined(all: readonly Uint8Array[], room = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, room));
  let at = room;
  for (const some of all) {
    bytes.set(some, at);
    at += some.length;
  }
  return bytes;
}

/** Bytes that the body of a DONE chunk has at most: one number. */
const MOST_DONE = 10;

/** The chunk that begins at a byte, if it is whole. */
export function chunkAt(bytes: Uint8Array, at: number): Chunk | Fault {
  const left = bytes.length - at;
  if (left < CHUNK_HEAD) return fault("cut", at, `a chunk begins, of which there are ${left} bytes`);
  const chunk = knownChunk(bytes, at);
  if (chunk.to > bytes.length)
    return fault(
      // No chunk of this type is that long: its length is wrong.
      chunk.type === "DONE" && chunk.to - chunk.from > MOST_DONE ? "damaged" : "cut",
      at,
      `a chunk of ${chunk.to - chunk.from} bytes, of which there are ${left - CHUNK_HEAD}`,
    );
  if (u32At(bytes, at + 8) !== checksumOf(bytes, at, chunk.to))
    return fault("damaged", at, "a chunk whose checksum is wrong");
  return chunk;
}

/** Reads the head of a chunk, without checking it: for chunks that were read before. */
export function knownChunk(bytes: Uint8Array, at: number): Chunk {
  const type = String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);
  const from = at + CHUNK_HEAD;
  return { type, at, from, to: from + u32At(bytes, at + 4) };
}

// Without a DataView: making one takes longer than reading a small chunk.
const u32At = (bytes: Uint8Array, at: number) =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

/**
 * Whether a whole chunk lies after a byte. If so, a chunk that begins at this byte and reaches beyond the end of the file was
 * not truncated: its length is wrong.
 */
export function hasChunkAfter(bytes: Uint8Array, at: number): boolean {
  // Compute checksums of at most as many bytes as the file has: many heads with large lengths must not take quadratic time.
  let budget = bytes.length;
  for (let from = at + 1; from + CHUNK_HEAD <= bytes.length; from++) {
    if (!isLetter(bytes[from]!) || !isLetter(bytes[from + 3]!)) continue;
    const { type, to } = knownChunk(bytes, from);
    if (!TYPES.has(type) || to > bytes.length || to - from > budget) continue;
    budget -= to - from;
    if (!isFault(chunkAt(bytes, from))) return true;
  }
  return false;
}

const isLetter = (byte: number) => byte >= 65 && byte <= 90;

/** Of all but the checksum itself. */
function checksumOf(bytes: Uint8Array, at: number, to: number): number {
  return crc32(bytes, at + CHUNK_HEAD, to, crc32(bytes, at, at + 8));
}
