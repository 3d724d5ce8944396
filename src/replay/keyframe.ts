// A state in the file: its tick, how it is stored, its size, and its bytes.
import { withoutDescription } from "../sim/bytes.js";
import { misuse, problemOf } from "../errors/index.js";
import { chunkOf, fault, isFault, type Chunk, type Fault } from "./chunk.js";
import { deflate } from "./deflate.js";
import { CHUNK_HEAD, DEFLATED, FIX, MAX_DEFLATED, PLAIN } from "./format.js";
import { inflate, MAX_RATIO } from "./inflate.js";
import { ByteReader, varints } from "./varint.js";

/** A recorded state, as it is stored in the file. */
export interface Keyframe {
  readonly tick: number;
  /** The size of the snapshot, in bytes. */
  readonly size: number;
  /** @internal */ readonly coding: number;
  /** @internal */ readonly from: number;
  /** @internal */ readonly to: number;
}

export function keyframeChunk(type: string, tick: number, bytes: Uint8Array): Uint8Array {
  const state = withoutDescription(bytes);
  return chunkOf(type, varints(tick), Uint8Array.of(PLAIN), varints(state.length), state);
}

/** Returns the chunk with its state deflated, if it holds one and that makes it shorter. */
export async function deflated(chunk: Uint8Array): Promise<Uint8Array> {
  const type = String.fromCharCode(...chunk.subarray(0, 4));
  if (type !== "KEYF" && type !== "STRT") return chunk;
  const frame = readKeyframe(chunk, { type, at: 0, from: CHUNK_HEAD, to: chunk.length });
  if (isFault(frame) || frame.coding !== PLAIN || frame.size > MAX_DEFLATED) return chunk;
  const packed = await deflate(chunk.subarray(frame.from, frame.to));
  if (!packed || packed.length >= frame.size) return chunk;
  return chunkOf(type, varints(frame.tick), Uint8Array.of(DEFLATED), varints(frame.size), packed);
}

export function readKeyframe(bytes: Uint8Array, { type, at, from, to }: Chunk): Keyframe | Fault {
  const reader = new ByteReader(bytes, from, to);
  const tick = reader.varint();
  const coding = reader.byte();
  const size = reader.varint();
  if (tick < 0 || size < 0) return fault("damaged", at, `${type} chunk without a tick and a size`);
  if (coding !== PLAIN && coding !== DEFLATED)
    return fault("damaged", at, `${type} chunk with unknown coding ${coding}`);
  if (coding === PLAIN ? size !== reader.left : size > Math.min(reader.left * MAX_RATIO, MAX_DEFLATED))
    return fault("damaged", at, `${type} chunk with ${reader.left} bytes for a state of ${size}`);
  return { tick, size, coding, from: reader.at, to };
}

/** @internal Returns the snapshot. If `wanted`, the size of a state, is known, rejects any other size before allocating memory. */
export function unpack(bytes: Uint8Array, { coding, size, from, to }: Keyframe, wanted?: number): Uint8Array {
  if (wanted !== undefined && size !== wanted)
    misuse("corrupt-data", "readReplay", `byte ${from}: a state of ${size} bytes, expected ${wanted}`, FIX);
  const packed = bytes.subarray(from, to);
  try {
    return coding === PLAIN ? packed : inflate(packed, size);
  } catch (error) {
    misuse("corrupt-data", "readReplay", `byte ${from}: ${problemOf(error)}`, FIX, error);
  }
}
