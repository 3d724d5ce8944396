import { hermite, lerpAngle, nlerp, slerp } from "../blend/index.js";
import { beginHash, endHash, HASH_WORDS } from "./hash.js";
import { absorbDoubles, absorbFloats, absorbIntegers } from "./js-hash.js";
import type { Kernels } from "./kernels.js";

/** Quaternions that are blended at a time. */
const QUATS = 64;
const previousQuats = new Float64Array(4 * QUATS);
const currentQuats = new Float64Array(4 * QUATS);
const blendedQuats = new Float64Array(4 * QUATS);

/** `lerp`, from the end that is nearer in time: `k` of the way to the other. What rests at infinity has no difference. */
function lerped(near: number, far: number, k: number): number {
  const blended = near - (near - far) * k;
  return Number.isNaN(blended) && near === far ? near : blended;
}

/** `lerpAngle`, likewise. */
function turned(near: number, far: number, k: number, isFirst: boolean): number {
  const way = near - far;
  if (Math.abs(way) < 2) return near - way * k;
  return isFirst ? lerpAngle(near, far, k) : lerpAngle(far, near, 1 - k);
}

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
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 3;
    const near = (isFirst ? previous : current) >>> 3;
    const far = (isFirst ? current : previous) >>> 3;
    let i = 0;
    for (; i < count - 3; i += 4) {
      doubles[to + i] = lerped(doubles[near + i]!, doubles[far + i]!, k);
      doubles[to + i + 1] = lerped(doubles[near + i + 1]!, doubles[far + i + 1]!, k);
      doubles[to + i + 2] = lerped(doubles[near + i + 2]!, doubles[far + i + 2]!, k);
      doubles[to + i + 3] = lerped(doubles[near + i + 3]!, doubles[far + i + 3]!, k);
    }
    for (; i < count; i++) doubles[to + i] = lerped(doubles[near + i]!, doubles[far + i]!, k);
  }

  lerp32(out: number, previous: number, current: number, count: number, t: number): void {
    const { floats } = this;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 2;
    const near = (isFirst ? previous : current) >>> 2;
    const far = (isFirst ? current : previous) >>> 2;
    let i = 0;
    for (; i < count - 3; i += 4) {
      floats[to + i] = lerped(floats[near + i]!, floats[far + i]!, k);
      floats[to + i + 1] = lerped(floats[near + i + 1]!, floats[far + i + 1]!, k);
      floats[to + i + 2] = lerped(floats[near + i + 2]!, floats[far + i + 2]!, k);
      floats[to + i + 3] = lerped(floats[near + i + 3]!, floats[far + i + 3]!, k);
    }
    for (; i < count; i++) floats[to + i] = lerped(floats[near + i]!, floats[far + i]!, k);
  }

  angle64(out: number, previous: number, current: number, count: number, t: number): void {
    const { doubles } = this;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 3;
    const near = (isFirst ? previous : current) >>> 3;
    const far = (isFirst ? current : previous) >>> 3;
    let i = 0;
    for (; i < count - 3; i += 4) {
      doubles[to + i] = turned(doubles[near + i]!, doubles[far + i]!, k, isFirst);
      doubles[to + i + 1] = turned(doubles[near + i + 1]!, doubles[far + i + 1]!, k, isFirst);
      doubles[to + i + 2] = turned(doubles[near + i + 2]!, doubles[far + i + 2]!, k, isFirst);
      doubles[to + i + 3] = turned(doubles[near + i + 3]!, doubles[far + i + 3]!, k, isFirst);
    }
    for (; i < count; i++) doubles[to + i] = turned(doubles[near + i]!, doubles[far + i]!, k, isFirst);
  }

  angle32(out: number, previous: number, current: number, count: number, t: number): void {
    const { floats } = this;
    const isFirst = t < 0.5;
    const k = isFirst ? t : 1 - t;
    const to = out >>> 2;
    const near = (isFirst ? previous : current) >>> 2;
    const far = (isFirst ? current : previous) >>> 2;
    let i = 0;
    for (; i < count - 3; i += 4) {
      floats[to + i] = turned(floats[near + i]!, floats[far + i]!, k, isFirst);
      floats[to + i + 1] = turned(floats[near + i + 1]!, floats[far + i + 1]!, k, isFirst);
      floats[to + i + 2] = turned(floats[near + i + 2]!, floats[far + i + 2]!, k, isFirst);
      floats[to + i + 3] = turned(floats[near + i + 3]!, floats[far + i + 3]!, k, isFirst);
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
