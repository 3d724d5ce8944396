import { crc32 } from "./crc32.js";
import { CHUNK_HEAD, TYPES } from "./format.js";

/** An intact chunk: its type, its offset, and the offsets of the start and the end of its body. */
export interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** Why a file cannot be read any further. */
export interface Fault {
  readonly kind: "truncated" | "damaged";
  /** The byte where reading stopped. */
  readonly offset: number;
  readonly message: string;
}

export const fault = (kind: Fault["kind"], offset: number, message: string): Fault => ({
  kind,
  offset,
  message: `byte ${offset}: ${message}`,
});

export const isFault = (value: object): value is Fault => "message" in value;

/** Encodes a chunk: type, length, checksum, body. */
export function chunkOf(type: string, ...body: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = joined(body, CHUNK_HEAD);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = type.charCodeAt(i);
  view.setUint32(4, bytes.length - CHUNK_HEAD, true);
  view.setUint32(8, checksumOf(bytes, 0, bytes.length), true);
  return bytes;
}

/** Concatenates arrays, after `room` bytes of zeros. */
export function joined(parts: readonly Uint8Array[], room = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, room));
  let at = room;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Longest body of a DONE chunk, in bytes. It holds one number. */
const MAX_DONE = 10;

/** Reads the chunk at an offset, and checks its length and checksum. */
export function chunkAt(bytes: Uint8Array, at: number): Chunk | Fault {
  const left = bytes.length - at;
  if (left < CHUNK_HEAD) return fault("truncated", at, "the file ends in the header of a chunk");
  const chunk = knownChunk(bytes, at);
  if (chunk.to > bytes.length)
    return fault(
      // No chunk of this type is that long, so its length is wrong.
      chunk.type === "DONE" && chunk.to - chunk.from > MAX_DONE ? "damaged" : "truncated",
      at,
      `the file ends in a chunk, after ${left - CHUNK_HEAD} of ${chunk.to - chunk.from} bytes`,
    );
  if (u32At(bytes, at + 8) !== checksumOf(bytes, at, chunk.to))
    return fault("damaged", at, "a chunk has a wrong checksum");
  return chunk;
}

/** Reads the header of a chunk that was checked before. */
export function knownChunk(bytes: Uint8Array, at: number): Chunk {
  const type = String.fromCharCode(bytes[at]!, bytes[at + 1]!, bytes[at + 2]!, bytes[at + 3]!);
  const from = at + CHUNK_HEAD;
  return { type, at, from, to: from + u32At(bytes, at + 4) };
}

// Not a DataView: creating one takes longer than reading a small chunk.
const u32At = (bytes: Uint8Array, at: number) =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;

/**
 * Whether an intact chunk follows somewhere after this byte. If so, a chunk at this byte that reaches beyond the end of the file
 * was not truncated: its length is wrong.
 */
export function hasChunkAfter(bytes: Uint8Array, at: number): boolean {
  // Limits the bytes to checksum to the size of the file: many headers with large lengths would take quadratic time.
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

/** Computes the checksum of the type, the length and the body. */
function checksumOf(bytes: Uint8Array, at: number, to: number): number {
  return crc32(bytes, at + CHUNK_HEAD, to, crc32(bytes, at, at + 8));
}
