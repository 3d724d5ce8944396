import { crc32 } from "./crc32.js";
import { CHUNK_HEAD } from "./format.js";

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
export function chunkOf(type: string, ...body: Uint8Array[]): Uint8Array {
  const bytes = joined(body, CHUNK_HEAD);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < 4; i++) bytes[i] = type.charCodeAt(i);
  view.setUint32(4, bytes.length - CHUNK_HEAD, true);
  view.setUint32(8, checksumOf(bytes, 0, bytes.length), true);
  return bytes;
}

/** Bytes one after the other, with room before them. */
export function joined(all: readonly Uint8Array[], room = 0): Uint8Array {
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, room));
  let at = room;
  for (const some of all) {
    bytes.set(some, at);
    at += some.length;
  }
  return bytes;
}

/** The chunk that begins at a byte, if it is whole. */
export function chunkAt(bytes: Uint8Array, at: number): Chunk | Fault {
  const left = bytes.length - at;
  if (left < CHUNK_HEAD) return fault("cut", at, `a chunk begins, of which there are ${left} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, CHUNK_HEAD);
  const length = view.getUint32(4, true);
  if (length > left - CHUNK_HEAD)
    return fault("cut", at, `a chunk of ${length} bytes, of which there are ${left - CHUNK_HEAD}`);
  const from = at + CHUNK_HEAD;
  const to = from + length;
  if (view.getUint32(8, true) !== checksumOf(bytes, at, to))
    return fault("damaged", at, "a chunk whose checksum is wrong");
  return { type: String.fromCharCode(...bytes.subarray(at, at + 4)), at, from, to };
}

/** Of all but the checksum itself. */
function checksumOf(bytes: Uint8Array, at: number, to: number): number {
  return crc32(bytes, at + CHUNK_HEAD, to, crc32(bytes, at, at + 8));
}
