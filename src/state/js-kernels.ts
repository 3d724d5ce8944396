import { hermite, lerp, lerpAngle, nlerp, slerp } from "../blend/index.js";
import { beginHash, endHash, FACTOR, NAN_32, NAN_64_HIGH, SHIFT } from "./hash.js";
import type { Kernels } from "./kernels.js";

/** Words that go through one column of lanes before the next: they stay in the nearest cache. */
const CHUNK = 2048;
const BLOCK = 16;

/** Quaternions that are blended at a time. */
const QUATS = 64;
const from = new Float64Array(4 * QUATS);
const to = new Float64Array(4 * QUATS);
const between = new Float64Array(4 * QUATS);

type Area = "f64" | "f32" | "int";

/** The inner loops without wasm. Each array is of the whole memory: one that the engine knows is faster than many. */
export class JsKernels implements Kernels {
  readonly name: "wasm" | "js" = "js";
  private readonly bytes: Uint8Array;
  private readonly words: Int32Array;
  private readonly floats: Float32Array;
  private readonly doubles: Float64Array;
  private readonly scratch: number;

  /** `scratch` is where the memory has HASH_BYTES to spare. */
  constructor(buffer: ArrayBuffer, scratch: number) {
    this.bytes = new Uint8Array(buffer);
    this.words = new Int32Array(buffer);
    this.floats = new Float32Array(buffer);
    this.doubles = new Float64Array(buffer);
    this.scratch = scratch >>> 2;
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
    beginHash(this.words, this.scratch, f64Bytes, f32Bytes, intBytes);
    const f32 = from + f64Bytes;
    const int = f32 + f32Bytes;
    this.absorb(from >>> 2, f32 >>> 2, "f64");
    this.absorb(f32 >>> 2, int >>> 2, "f32");
    this.absorb(int >>> 2, (int + intBytes) >>> 2, "int");
    endHash(this.words, this.scratch, out);
  }

  private absorb(start: number, end: number, area: Area): void {
    for (let at = start; at < end; at += CHUNK) {
      const stop = Math.min(at + CHUNK, end);
      for (let lane = 0; lane < BLOCK; lane += 4) this.absorbColumn(at + lane, stop, lane, area);
    }
  }

  /** Four lanes at a time, which fit the registers. */
  private absorbColumn(start: number, end: number, lane: number, area: Area): void {
    const { words, floats, doubles } = this;
    const lanes = this.scratch + lane;
    const sums = this.scratch + BLOCK;
    let a = words[lanes]!;
    let b = words[lanes + 1]!;
    let c = words[lanes + 2]!;
    let d = words[lanes + 3]!;
    let sumA = words[sums]!;
    let sumB = words[sums + 1]!;
    let sumC = words[sums + 2]!;
    let sumD = words[sums + 3]!;
    for (let i = start; i < end; i += BLOCK) {
      let p = words[i]!;
      let q = words[i + 1]!;
      let r = words[i + 2]!;
      let s = words[i + 3]!;
      if (area === "f64") {
        const x = doubles[i >> 1]!;
        const y = doubles[(i >> 1) + 1]!;
        // A sum is NaN if one of them is: it is rarely worth a closer look.
        if (Number.isNaN(x + y)) {
          if (Number.isNaN(x)) [p, q] = [0, NAN_64_HIGH];
          if (Number.isNaN(y)) [r, s] = [0, NAN_64_HIGH];
        }
      } else if (area === "f32") {
        if (Number.isNaN(floats[i]! + floats[i + 1]! + floats[i + 2]! + floats[i + 3]!)) {
          if (Number.isNaN(floats[i])) p = NAN_32;
          if (Number.isNaN(floats[i + 1])) q = NAN_32;
          if (Number.isNaN(floats[i + 2])) r = NAN_32;
          if (Number.isNaN(floats[i + 3])) s = NAN_32;
        }
      }
      a ^= p;
      b ^= q;
      c ^= r;
      d ^= s;
      a = Math.imul(a ^ (a >>> SHIFT), FACTOR);
      b = Math.imul(b ^ (b >>> SHIFT), FACTOR);
      c = Math.imul(c ^ (c >>> SHIFT), FACTOR);
      d = Math.imul(d ^ (d >>> SHIFT), FACTOR);
      sumA = (sumA + a) | 0;
      sumB = (sumB + b) | 0;
      sumC = (sumC + c) | 0;
      sumD = (sumD + d) | 0;
    }
    words[lanes] = a;
    words[lanes + 1] = b;
    words[lanes + 2] = c;
    words[lanes + 3] = d;
    words[sums] = sumA;
    words[sums + 1] = sumB;
    words[sums + 2] = sumC;
    words[sums + 3] = sumD;
  }

  lerp64(out: number, previous: number, current: number, count: number, t: number): void {
    const { doubles } = this;
    const [o, p, c] = [out >>> 3, previous >>> 3, current >>> 3];
    for (let i = 0; i < count; i++) doubles[o + i] = lerp(doubles[p + i]!, doubles[c + i]!, t);
  }

  lerp32(out: number, previous: number, current: number, count: number, t: number): void {
    const { floats } = this;
    const [o, p, c] = [out >>> 2, previous >>> 2, current >>> 2];
    for (let i = 0; i < count; i++) floats[o + i] = lerp(floats[p + i]!, floats[c + i]!, t);
  }

  angle64(out: number, previous: number, current: number, count: number, t: number): void {
    const { doubles } = this;
    const [o, p, c] = [out >>> 3, previous >>> 3, current >>> 3];
    for (let i = 0; i < count; i++) doubles[o + i] = lerpAngle(doubles[p + i]!, doubles[c + i]!, t);
  }

  angle32(out: number, previous: number, current: number, count: number, t: number): void {
    const { floats } = this;
    const [o, p, c] = [out >>> 2, previous >>> 2, current >>> 2];
    for (let i = 0; i < count; i++) floats[o + i] = lerpAngle(floats[p + i]!, floats[c + i]!, t);
  }

  hermite64(
    out: number,
    previous: number,
    current: number,
    previousVelocity: number,
    currentVelocity: number,
    count: number,
    dt: number,
    t: number,
  ): void {
    const { doubles } = this;
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
    dt: number,
    t: number,
  ): void {
    const { floats } = this;
    const [o, p, c] = [out >>> 2, previous >>> 2, current >>> 2];
    const [v, w] = [previousVelocity >>> 2, currentVelocity >>> 2];
    for (let i = 0; i < count; i++)
      floats[o + i] = hermite(floats[p + i]!, floats[c + i]!, floats[v + i]!, floats[w + i]!, dt, t);
  }

  nlerp64(out: number, previous: number, current: number, count: number, t: number): void {
    this.quats(nlerp, out, previous, current, count, t);
  }

  slerp64(out: number, previous: number, current: number, count: number, t: number): void {
    this.quats(slerp, out, previous, current, count, t);
  }

  /** By way of arrays that begin where blend's functions want them to: views would be allocated. */
  private quats(
    blend: typeof slerp,
    out: number,
    previous: number,
    current: number,
    count: number,
    t: number,
  ): void {
    const { doubles } = this;
    for (let done = 0; done < count; done += QUATS) {
      const some = Math.min(QUATS, count - done);
      const [o, p, c] = [(out >>> 3) + 4 * done, (previous >>> 3) + 4 * done, (current >>> 3) + 4 * done];
      for (let i = 0; i < 4 * some; i++) {
        from[i] = doubles[p + i]!;
        to[i] = doubles[c + i]!;
      }
      blend(between, from, to, t, some);
      for (let i = 0; i < 4 * some; i++) doubles[o + i] = between[i]!;
    }
  }
}
