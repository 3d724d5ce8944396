import { hermite, lerpAngle, nlerp, slerp } from "../blend/index.js";
import { blendPiece } from "./blend.js";
import { beginHash, endHash, HASH_WORDS } from "./hash.js";
import { absorbDoubles, absorbFloats, absorbIntegers } from "./js-hash.js";
import { BLEND_DT, BLEND_T, type Kernels } from "./kernels.js";
import type { Piece } from "./blend-pieces.js";

/** Quaternions per batch. */
const QUATS = 64;
const previousQuats = new Float64Array(4 * QUATS);
const currentQuats = new Float64Array(4 * QUATS);
const blendedQuats = new Float64Array(4 * QUATS);

/** Blends two numbers whose difference is NaN: equal infinities stay, anything else is NaN. */
function resting(x: number, y: number): number {
  return x === y ? x : NaN;
}

/** `lerpAngle` from the nearer end in time, by the fraction `k` towards the other one. */
function turned(near: number, far: number, k: number, isFirst: boolean): number {
  return isFirst ? lerpAngle(near, far, k) : lerpAngle(far, near, 1 - k);
}

/**
 * The inner loops without WebAssembly. Like the WebAssembly version, they blend from the end that is nearer in time. Loops
 * handle four numbers per iteration, inline: a call that V8 does not inline would box its numbers.
 *
 * Each array spans the whole memory, as one array is faster than many.
 */
export class JsKernels implements Kernels {
  readonly name = "js";
  readonly factors: Float64Array;
  private readonly bytes: Uint8Array;
  private readonly memory: DataView;
  private readonly floats: Float32Array;
  private readonly doubles: Float64Array;
  private readonly lanes = new Int32Array(HASH_WORDS);

  /** `factors` may be those of other kernels, which use these for the rest. */
  constructor(buffer: ArrayBuffer, factors: Float64Array = new Float64Array(2)) {
    this.factors = factors;
    this.bytes = new Uint8Array(buffer);
    this.memory = new DataView(buffer);
    this.floats = new Float32Array(buffer);
    this.doubles = new Float64Array(buffer);
  }

  copy(to: number, from: number, bytes: number): void {
    this.bytes.copyWithin(to, from, from + bytes);
  }

  hash(
    from: number,
    f64Bytes: number,
    f32Bytes: number,
    intBytes: number,
    out: { [index: number]: number },
  ): void {
    const { lanes, memory } = this;
    const f32 = from + f64Bytes;
    const int = f32 + f32Bytes;
    beginHash(lanes, f64Bytes, f32Bytes, intBytes);
    absorbDoubles(lanes, memory, from, f32);
    absorbFloats(lanes, memory, f32, int);
    absorbIntegers(lanes, memory, int, int + intBytes);
    endHash(lanes, out);
  }

  blend(pieces: readonly Piece[], out: number, previous: number, current: number): void {
    for (let i = 0; i < pieces.length; i++) blendPiece(pieces[i]!, this, out, previous, current);
  }

  lerp64(out: number, previous: number, current: number, count: number): void {
    const { doubles } = this;
    const t = this.factors[BLEND_T]!;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 3;
    const near = (isFirst ? previous : current) >>> 3;
    const far = (isFirst ? current : previous) >>> 3;
    let i = 0;
    for (; i < count - 3; i += 4) {
      const x0 = doubles[near + i]!;
      const y0 = doubles[far + i]!;
      const r0 = x0 - (x0 - y0) * k;
      doubles[to + i] = Number.isNaN(r0) ? resting(x0, y0) : r0;
      const x1 = doubles[near + i + 1]!;
      const y1 = doubles[far + i + 1]!;
      const r1 = x1 - (x1 - y1) * k;
      doubles[to + i + 1] = Number.isNaN(r1) ? resting(x1, y1) : r1;
      const x2 = doubles[near + i + 2]!;
      const y2 = doubles[far + i + 2]!;
      const r2 = x2 - (x2 - y2) * k;
      doubles[to + i + 2] = Number.isNaN(r2) ? resting(x2, y2) : r2;
      const x3 = doubles[near + i + 3]!;
      const y3 = doubles[far + i + 3]!;
      const r3 = x3 - (x3 - y3) * k;
      doubles[to + i + 3] = Number.isNaN(r3) ? resting(x3, y3) : r3;
    }
    for (; i < count; i++) {
      const x = doubles[near + i]!;
      const y = doubles[far + i]!;
      const r = x - (x - y) * k;
      doubles[to + i] = Number.isNaN(r) ? resting(x, y) : r;
    }
  }

  lerp32(out: number, previous: number, current: number, count: number): void {
    const { floats } = this;
    const t = this.factors[BLEND_T]!;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 2;
    const near = (isFirst ? previous : current) >>> 2;
    const far = (isFirst ? current : previous) >>> 2;
    let i = 0;
    for (; i < count - 3; i += 4) {
      const x0 = floats[near + i]!;
      const y0 = floats[far + i]!;
      const r0 = x0 - (x0 - y0) * k;
      floats[to + i] = Number.isNaN(r0) ? resting(x0, y0) : r0;
      const x1 = floats[near + i + 1]!;
      const y1 = floats[far + i + 1]!;
      const r1 = x1 - (x1 - y1) * k;
      floats[to + i + 1] = Number.isNaN(r1) ? resting(x1, y1) : r1;
      const x2 = floats[near + i + 2]!;
      const y2 = floats[far + i + 2]!;
      const r2 = x2 - (x2 - y2) * k;
      floats[to + i + 2] = Number.isNaN(r2) ? resting(x2, y2) : r2;
      const x3 = floats[near + i + 3]!;
      const y3 = floats[far + i + 3]!;
      const r3 = x3 - (x3 - y3) * k;
      floats[to + i + 3] = Number.isNaN(r3) ? resting(x3, y3) : r3;
    }
    for (; i < count; i++) {
      const x = floats[near + i]!;
      const y = floats[far + i]!;
      const r = x - (x - y) * k;
      floats[to + i] = Number.isNaN(r) ? resting(x, y) : r;
    }
  }

  angle64(out: number, previous: number, current: number, count: number): void {
    const { doubles } = this;
    const t = this.factors[BLEND_T]!;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 3;
    const near = (isFirst ? previous : current) >>> 3;
    const far = (isFirst ? current : previous) >>> 3;
    let i = 0;
    for (; i < count - 3; i += 4) {
      const x0 = doubles[near + i]!;
      const d0 = x0 - doubles[far + i]!;
      doubles[to + i] = Math.abs(d0) < 2 ? x0 - d0 * k : turned(x0, doubles[far + i]!, k, isFirst);
      const x1 = doubles[near + i + 1]!;
      const d1 = x1 - doubles[far + i + 1]!;
      doubles[to + i + 1] = Math.abs(d1) < 2 ? x1 - d1 * k : turned(x1, doubles[far + i + 1]!, k, isFirst);
      const x2 = doubles[near + i + 2]!;
      const d2 = x2 - doubles[far + i + 2]!;
      doubles[to + i + 2] = Math.abs(d2) < 2 ? x2 - d2 * k : turned(x2, doubles[far + i + 2]!, k, isFirst);
      const x3 = doubles[near + i + 3]!;
      const d3 = x3 - doubles[far + i + 3]!;
      doubles[to + i + 3] = Math.abs(d3) < 2 ? x3 - d3 * k : turned(x3, doubles[far + i + 3]!, k, isFirst);
    }
    for (; i < count; i++) doubles[to + i] = turned(doubles[near + i]!, doubles[far + i]!, k, isFirst);
  }

  angle32(out: number, previous: number, current: number, count: number): void {
    const { floats } = this;
    const t = this.factors[BLEND_T]!;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 2;
    const near = (isFirst ? previous : current) >>> 2;
    const far = (isFirst ? current : previous) >>> 2;
    let i = 0;
    for (; i < count - 3; i += 4) {
      const x0 = floats[near + i]!;
      const d0 = x0 - floats[far + i]!;
      floats[to + i] = Math.abs(d0) < 2 ? x0 - d0 * k : turned(x0, floats[far + i]!, k, isFirst);
      const x1 = floats[near + i + 1]!;
      const d1 = x1 - floats[far + i + 1]!;
      floats[to + i + 1] = Math.abs(d1) < 2 ? x1 - d1 * k : turned(x1, floats[far + i + 1]!, k, isFirst);
      const x2 = floats[near + i + 2]!;
      const d2 = x2 - floats[far + i + 2]!;
      floats[to + i + 2] = Math.abs(d2) < 2 ? x2 - d2 * k : turned(x2, floats[far + i + 2]!, k, isFirst);
      const x3 = floats[near + i + 3]!;
      const d3 = x3 - floats[far + i + 3]!;
      floats[to + i + 3] = Math.abs(d3) < 2 ? x3 - d3 * k : turned(x3, floats[far + i + 3]!, k, isFirst);
    }
    for (; i < count; i++) floats[to + i] = turned(floats[near + i]!, floats[far + i]!, k, isFirst);
  }

  hermite64(
    out: number,
    previous: number,
    current: number,
    previousVelocity: number,
    currentVelocity: number,
    count: number,
  ): void {
    const { doubles } = this;
    const t = this.factors[BLEND_T]!;
    const dt = this.factors[BLEND_DT]!;
    const [o, p, c] = [out >>> 3, previous >>> 3, current >>> 3];
    const [v, w] = [previousVelocity >>> 3, currentVelocity >>> 3];
    for (let i = 0; i < count; i++)
      doubles[o + i] = hermite(doubles[p + i]!, doubles[c + i]!, doubles[v + i]!, doubles[w + i]!, dt, t);
  }

  hermite32(
    out: number,
    previous: number,
    current: number,
    previousVelocity: number,
    currentVelocity: number,
    count: number,
  ): void {
    const { floats } = this;
    const t = this.factors[BLEND_T]!;
    const dt = this.factors[BLEND_DT]!;
    const [o, p, c] = [out >>> 2, previous >>> 2, current >>> 2];
    const [v, w] = [previousVelocity >>> 2, currentVelocity >>> 2];
    for (let i = 0; i < count; i++)
      floats[o + i] = hermite(floats[p + i]!, floats[c + i]!, floats[v + i]!, floats[w + i]!, dt, t);
  }

  nlerp64(out: number, previous: number, current: number, count: number): void {
    this.quats(nlerp, out, previous, current, count);
  }

  slerp64(out: number, previous: number, current: number, count: number): void {
    this.quats(slerp, out, previous, current, count);
  }

  /** Copies quaternions to and from fixed arrays, as views at the right offsets would have to be allocated. */
  private quats(blend: typeof slerp, out: number, previous: number, current: number, count: number): void {
    const { doubles } = this;
    const t = this.factors[BLEND_T]!;
    for (let done = 0; done < count; done += QUATS) {
      const some = Math.min(QUATS, count - done);
      const [o, p, c] = [(out >>> 3) + 4 * done, (previous >>> 3) + 4 * done, (current >>> 3) + 4 * done];
      for (let i = 0; i < 4 * some; i++) {
        previousQuats[i] = doubles[p + i]!;
        currentQuats[i] = doubles[c + i]!;
      }
      blend(blendedQuats, previousQuats, currentQuats, t, some);
      for (let i = 0; i < 4 * some; i++) doubles[o + i] = blendedQuats[i]!;
    }
  }
}
