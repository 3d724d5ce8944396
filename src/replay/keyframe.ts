// A state in the file: its tick, how it is packed, how many bytes it has, and then these.
import { withoutDescription } from "../sim/bytes.js";
import { chunkOf, fault, isFault, type Chunk, type Fault } from "./chunk.js";
import { deflate } from "./deflate.js";
import { CHUNK_HEAD, DEFLATED, MOST_DEFLATED, PLAIN } from "./format.js";
import { inflate, MOST_RATIO } from "./inflate.js";
import { ByteReader, varints } from "./varint.js";

/** A recorded state, as it lies in the file. */
export interface Keyframe {
  readonly tick: number;
  /** Bytes of the snapshot that it holds. */
  readonly size: number;
  /** @internal */ readonly coding: number;
  /** @internal */ readonly from: number;
  /** @internal */ readonly to: number;
}

export function keyframeChunk(type: string, tick: number, bytes: Uint8Array): Uint8Array {
  const state = withoutDescription(bytes);
  return chunkOf(type, varints(tick), Uint8Array.of(PLAIN), varints(state.length), state);
}

/** The same chunk with its state deflated, if it holds one and that is shorter. */
export async function deflated(chunk: Uint8Array): Promise<Uint8Array> {
  const type = String.fromCharCode(...chunk.subarray(0, 4));
  if (type !== "KEYF" && type !== "STRT") return chunk;
  const frame = readKeyframe(chunk, { type, at: 0, from: CHUNK_HEAD, to: chunk.length });
  if (isFault(frame) || frame.coding !== PLAIN || frame.size > MOST_DEFLATED) return chunk;
  const packed = await deflate(chunk.subarray(frame.from, frame.to));
  if (!packed || packed.length >= frame.size) return chunk;
  return chunkOf(type, varints(frame.tick), Uint8Array.of(DEFLATED), varints(frame.size), packed);
}

export function readKeyframe(bytes: Uint8Array, { type, at, from, to }: Chunk): Keyframe | Fault {
  const reader = new ByteReader(bytes, from, to);
  const tick = reader.varint();
  const coding = reader.byte();
  const size = reader.varint();
  if (tick < 0 || size < 0) return fault("damaged", at, `${type} without its tick and size`);
  if (coding !== PLAIN && coding !== DEFLATED)
    return fault("damaged", at, `${type} that is packed in a way unknown here, ${coding}`);
  if (coding === PLAIN ? size !== reader.left : size > Math.min(reader.left * MOST_RATIO, MOST_DEFLATED))
    return fault("damaged", at, `${type} of ${size} bytes, which its ${reader.left} cannot be`);
  return { tick, size, coding, from: reader.at, to };
}

/** @internal The snapshot; nothing is allocated for one of another size than a snapshot has, if that is known. */
export function unpack(bytes: Uint8Array, { coding, size, from, to }: Keyframe, wanted?: number): Uint8Array {
  if (wanted !== undefined && size !== wanted)
    throw new RangeError(`byte ${from}: a state of ${size} bytes, where one has ${wanted}`);
  const packed = bytes.subarray(from, to);
  try {
    return coding === PLAIN ? packed : inflate(packed, size);
  } catch (error) {
    throw new RangeError(`byte ${from}: ${(error as Error).message}`, { cause: error });
  }
}
