// The recording of the cubes: what the scene's script gives, quantised as Fiedler did, so that all codecs see the same data.
//
// Values of a cube in a frame: x, y and z in 1/512 m; the orientation by its smallest three components: which component is
// the largest (0 to 3 for x, y, z, w), then the other three in that order, each from -√½ to √½ as 0 to 511, with the sign that
// makes the largest one positive; and whether the player moved the cube (0 or 1).
//
// The file `cubes.recording.br` is compressed by Brotli. Unpacked, it has six words of 32 bits (little-endian): "CUBE" as
// ASCII, version 1, cubes, frames, the tick of the first frame, the length of the next part in bytes. That part has one bit per
// cube and frame, the lowest bit of a byte first: whether the cube differs from the frame before, of which all values are 0 for
// the first frame. Then the eight values follow, each as a u32 with its length in bytes and one varint (7 bits per byte, low
// ones first) per changed cube of each frame, zigzag-coded: the difference to the frame before. x, y and z have the difference
// minus the one before that.
import { CUBES } from "./cubes.js";

/** Units per metre. */
const UNITS = 512;
/** Largest value of a component of an orientation. */
const TOP = 511;
/** Largest amount of a component that is not the largest. */
const BOUND = Math.SQRT1_2;

/** Values per cube: x, y, z, largest, a, b, c, interacting. */
export const VALUES = 8;
const POSITIONS = 3;

/** The tick of the first frame: all small cubes have settled by then, and the player's cube falls onto them. */
export const FIRST_TICK = 60;
export const FRAMES = 2460;
/** Up to this frame the player is busy: the dense part of the recording. */
export const DENSE_FRAMES = 1740;
/** From this frame on nothing moves. */
export const IDLE_FRAME = 2160;

/** A frame: the values of the first cube, those of the second, and so on. */
export type CubesFrame = Int16Array;

/** The fields of the scene that are recorded. */
export interface CubeColumns {
  readonly position: ArrayLike<number>;
  readonly turn: ArrayLike<number>;
  readonly interacting: ArrayLike<number>;
}

/** Quantises all cubes of the scene. */
export function quantised({ position, turn, interacting }: CubeColumns): CubesFrame {
  const frame = new Int16Array(CUBES * VALUES);
  for (let cube = 0; cube < CUBES; cube++) {
    const at = cube * VALUES;
    for (let i = 0; i < 3; i++) frame[at + i] = Math.round(position[3 * cube + i]! * UNITS);
    const q = [turn[4 * cube]!, turn[4 * cube + 1]!, turn[4 * cube + 2]!, turn[4 * cube + 3]!];
    smallestThree(q, frame, at + 3);
    fromSmallestThree(frame, at + 3, q);
    // By rounding, another component may have become the largest. It is made smaller, so that any codec finds the same values.
    while (isAmbiguous(q, frame[at + 3]!)) {
      shrink(frame, at + 4);
      fromSmallestThree(frame, at + 3, q);
    }
    frame[at + 7] = interacting[cube]!;
  }
  return frame;
}

function smallestThree(q: readonly number[], out: CubesFrame, at: number): void {
  let largest = 0;
  for (let i = 1; i < 4; i++) if (Math.abs(q[i]!) > Math.abs(q[largest]!)) largest = i;
  out[at] = largest;
  const sign = q[largest]! < 0 ? -1 : 1;
  let to = at + 1;
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    const share = ((sign * q[i]!) / BOUND + 1) / 2;
    out[to++] = Math.min(TOP, Math.max(0, Math.round(share * TOP)));
  }
}

/** Whether another component is as large as the largest, or nearly so. */
const isAmbiguous = (q: readonly number[], largest: number): boolean =>
  q.some((value, i) => i !== largest && Math.abs(value) > q[largest]! - 1e-6);

/** Takes a step off the farthest of three components. */
function shrink(frame: CubesFrame, at: number): void {
  const amount = (i: number) => Math.abs(2 * frame[i]! - TOP);
  let farthest = at;
  for (let i = at + 1; i < at + 3; i++) if (amount(i) > amount(farthest)) farthest = i;
  frame[farthest]! += 2 * frame[farthest]! > TOP ? -1 : 1;
}

function fromSmallestThree(frame: CubesFrame, at: number, q: number[]): void {
  const largest = frame[at]!;
  let rest = 1;
  let from = at + 1;
  for (let i = 0; i < 4; i++) {
    if (i === largest) continue;
    q[i] = ((2 * frame[from++]!) / TOP - 1) * BOUND;
    rest -= q[i]! * q[i]!;
  }
  q[largest] = Math.sqrt(Math.max(0, rest));
}

/** Writes a frame into the fields of the scene, or into a layout of the same fields. */
export function writeFrame(
  frame: CubesFrame,
  cubes: { position: Float64Array; turn: Float64Array; interacting: Uint8Array },
): void {
  const q = [0, 0, 0, 0];
  for (let cube = 0; cube < CUBES; cube++) {
    const at = cube * VALUES;
    for (let i = 0; i < 3; i++) cubes.position[3 * cube + i] = frame[at + i]! / UNITS;
    fromSmallestThree(frame, at + 3, q);
    cubes.turn.set(q, 4 * cube);
    cubes.interacting[cube] = frame[at + 7]!;
  }
}

const MAGIC = 0x45425543;
const HEADER = 24;

/** Returns the file's contents, not compressed yet. */
export function writeRecording(frames: readonly CubesFrame[]): Uint8Array {
  const changed = new Uint8Array(Math.ceil((CUBES * frames.length) / 8));
  const parts: number[][] = Array.from({ length: VALUES }, () => []);
  let last: CubesFrame = new Int16Array(CUBES * VALUES);
  let older = last;
  for (const [n, frame] of frames.entries()) {
    for (let cube = 0; cube < CUBES; cube++) {
      const at = cube * VALUES;
      if (isSame(frame, last, at)) continue;
      const bit = n * CUBES + cube;
      changed[bit >> 3]! |= 1 << (bit & 7);
      for (let i = 0; i < VALUES; i++) {
        const step = i < POSITIONS ? last[at + i]! - older[at + i]! : 0;
        const difference = frame[at + i]! - last[at + i]! - step;
        let value = (difference << 1) ^ (difference >> 31);
        for (; value > 127; value >>>= 7) parts[i]!.push((value & 127) | 128);
        parts[i]!.push(value);
      }
    }
    [last, older] = [frame, last];
  }
  const size = HEADER + changed.length + parts.reduce((sum, part) => sum + 4 + part.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  for (const [i, word] of [MAGIC, 1, CUBES, frames.length, FIRST_TICK, changed.length].entries())
    view.setUint32(4 * i, word, true);
  bytes.set(changed, HEADER);
  let at = HEADER + changed.length;
  for (const part of parts) {
    view.setUint32(at, part.length, true);
    bytes.set(part, at + 4);
    at += 4 + part.length;
  }
  return bytes;
}

/** Reads the file's contents, already unpacked. */
export function readRecording(bytes: Uint8Array): CubesFrame[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const word = (i: number) => view.getUint32(4 * i, true);
  if (word(0) !== MAGIC || word(1) !== 1 || word(2) !== CUBES)
    throw new Error("not a recording of the cubes");
  const at: number[] = [];
  for (let i = 0, part = HEADER + word(5); i < VALUES; i++) {
    at.push(part + 4);
    part += 4 + view.getUint32(part, true);
  }
  const frames: CubesFrame[] = [];
  let last: CubesFrame = new Int16Array(CUBES * VALUES);
  let older = last;
  for (let n = 0; n < word(3); n++) {
    const frame = last.slice();
    for (let cube = 0; cube < CUBES; cube++) {
      const bit = n * CUBES + cube;
      if (((bytes[HEADER + (bit >> 3)]! >> (bit & 7)) & 1) === 0) continue;
      for (let i = 0; i < VALUES; i++) {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
          const byte = bytes[at[i]!++]!;
          value |= (byte & 127) << shift;
          if (byte < 128) break;
        }
        const own = cube * VALUES + i;
        const step = i < POSITIONS ? last[own]! - older[own]! : 0;
        frame[own]! += ((value >>> 1) ^ -(value & 1)) + step;
      }
    }
    frames.push(frame);
    [last, older] = [frame, last];
  }
  return frames;
}

function isSame(a: CubesFrame, b: CubesFrame, at: number): boolean {
  for (let i = at; i < at + VALUES; i++) if (a[i] !== b[i]) return false;
  return true;
}
