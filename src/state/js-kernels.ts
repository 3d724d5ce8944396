import { hermite, lerp, lerpAngle, nlerp, slerp } from "../blend/index.js";
import { beginHash, endHash, HASH_WORDS } from "./hash.js";
import { absorbDoubles, absorbFloats, absorbIntegers } from "./js-hash.js";
import type { Kernels } from "./kernels.js";

/** Quaternions that are blended at a time. */
const QUATS = 64;
const previousQuats = new Float64Array(4 * QUATS);
const currentQuats = new Float64Array(4 * QUATS);
const blendedQuats = new Float64Array(4 * QUATS);

/** The inner loops without wasm. Each array is of the whole memory: one that the engine knows is faster than many. */
export class JsKernels implements Kernels {
  readonly name = "js";
  private readonly bytes: Uint8Array;
  private readonly memory: DataView;
  private readonly floats: Float32Array;
  private readonly doubles: Float64Array;
  private readonly lanes = new Int32Array(HASH_WORDS);

  constructor(buffer: ArrayBuffer) {
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
        previousQuats[i] = doubles[p + i]!;
        currentQuats[i] = doubles[c + i]!;
      }
      blend(blendedQuats, previousQuats, currentQuats, t, some);
      for (let i = 0; i < 4 * some; i++) doubles[o + i] = blendedQuats[i]!;
    }
  }
}
