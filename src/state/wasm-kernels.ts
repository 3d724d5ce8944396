import { fromBase64 } from "./base64.js";
import { blendPiece } from "./blend.js";
import { beginHash, endHash, HASH_WORDS } from "./hash.js";
import { JsKernels } from "./js-kernels.js";
import { CODE } from "./kernels-code.js";
import { BLEND_DT, BLEND_T, type Kernels } from "./kernels.js";
import type { Piece } from "./blend-pieces.js";

const PAGE = 65536;

/** Size of a scratch area, which lie at the end of the memory: one for each thread. See kernels.wat. */
const SCRATCH = 192;
const NUMBERS = 96;
const FACTORS = 160;

/** The exports of kernels.wat. `near` and `base` are the columns that blends start from, `end` is the end of `out`. */
interface Exports {
  copy(to: number, from: number, bytes: number): void;
  hash(from: number, f64End: number, f32End: number, intEnd: number): void;
  lerp64: Straight;
  lerp32: Straight;
  angle64: Straight;
  angle32: Straight;
  hermite64: Curved;
  hermite32: Curved;
  nlerp64(out: number, previous: number, current: number, count: number): void;
}
type Straight = (out: number, near: number, far: number, end: number) => void;
type Curved = (
  out: number,
  previous: number,
  current: number,
  base: number,
  previousVelocity: number,
  currentVelocity: number,
  end: number,
) => void;

let module: WebAssembly.Module | undefined;
let sharedModule: WebAssembly.Module | undefined;

/** Most pages that a memory may have. */
const MAX_PAGES = [0x80, 0x80, 0x04];

/** Makes a module import shared memory: a flag and the most pages, in the declaration of the import, and three bytes more in the size of its section. */
function importingShared(code: Uint8Array): Uint8Array<ArrayBuffer> {
  const name = [...new TextEncoder().encode("memory")];
  const at = code.findIndex((_, i) => name.every((byte, j) => code[i + j] === byte)) + name.length;
  // Before it: "tickwise", both lengths, the number of imports, the size of the section.
  const size = at - name.length - 1 - 9 - 2;
  const shared = new Uint8Array(code.length + MAX_PAGES.length);
  // The kind, the flags, the least pages; then the rest.
  shared.set(code.subarray(0, at + 3));
  shared.set(MAX_PAGES, at + 3);
  shared.set(code.subarray(at + 3), at + 3 + MAX_PAGES.length);
  shared[size]! += MAX_PAGES.length;
  shared[at + 1] = 3;
  return shared;
}

/** Returns the pages for states, and a scratch area for each thread. */
const pagesFor = (bytes: number, threads: number): number => Math.ceil((bytes + threads * SCRATCH) / PAGE);

/** Allocates memory that several threads can use. Throws if the platform cannot. */
export function sharedMemory(bytes: number, threads: number): WebAssembly.Memory {
  const pages = pagesFor(bytes, threads);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
}

/** The inner loops in SIMD. The last few numbers of a column, less than one iteration, are handled in JavaScript. */
export class WasmKernels implements Kernels {
  readonly name = "wasm";
  readonly factors = new Float64Array(2);
  readonly buffer: ArrayBuffer;
  private readonly rest: JsKernels;
  private readonly code: Exports;
  private readonly words: Int32Array;
  private readonly numbers: Float64Array;

  /**
   * Throws if WebAssembly or SIMD is missing or forbidden, or if there is not enough memory. With `shared`, it works on that memory
   * instead of its own. Each thread has a scratch area of its own there.
   */
  constructor(bytes: number, shared?: { readonly memory: WebAssembly.Memory; readonly thread: number }) {
    const code = shared
      ? (sharedModule ??= new WebAssembly.Module(importingShared(fromBase64(CODE))))
      : (module ??= new WebAssembly.Module(fromBase64(CODE)));
    const pages = pagesFor(bytes, 1);
    const memory = shared?.memory ?? new WebAssembly.Memory({ initial: pages, maximum: pages });
    // Shared memory is used in the same way.
    const buffer = memory.buffer as ArrayBuffer;
    const scratch = buffer.byteLength - SCRATCH * (1 + (shared?.thread ?? 0));
    const instance = new WebAssembly.Instance(code, { tickwise: { memory, scratch } });
    this.code = instance.exports as unknown as Exports;
    this.buffer = buffer;
    this.rest = new JsKernels(this.buffer, this.factors);
    this.words = new Int32Array(this.buffer, scratch, HASH_WORDS);
    this.numbers = new Float64Array(this.buffer, scratch + NUMBERS, 7);
    this.numbers[5] = 2;
    new Int32Array(this.buffer, scratch + FACTORS, 4).fill(0x2c1b3c6d);
  }

  copy(to: number, from: number, bytes: number): void {
    this.code.copy(to, from, bytes);
  }

  hash(
    from: number,
    f64Bytes: number,
    f32Bytes: number,
    intBytes: number,
    out: { [index: number]: number },
  ): void {
    const f64End = from + f64Bytes;
    const f32End = f64End + f32Bytes;
    beginHash(this.words, f64Bytes, f32Bytes, intBytes);
    this.code.hash(from, f64End, f32End, f32End + intBytes);
    endHash(this.words, out);
  }

  blend(pieces: readonly Piece[], out: number, previous: number, current: number): void {
    for (let i = 0; i < pieces.length; i++) {
      const piece = pieces[i]!;
      const { by, from, count } = piece;
      // The most common kernels first.
      if (by === "copy") this.code.copy(out + from, previous + from, count);
      else if (by === "lerp64") this.lerp64(out + from, previous + from, current + from, count);
      else if (by === "angle64") this.angle64(out + from, previous + from, current + from, count);
      else blendPiece(piece, this, out, previous, current);
    }
  }

  lerp64(out: number, previous: number, current: number, count: number): void {
    const done = count & ~1;
    const isFirst = this.way();
    this.code.lerp64(out, isFirst ? previous : current, isFirst ? current : previous, out + 8 * done);
    if (done < count) this.rest.lerp64(out + 8 * done, previous + 8 * done, current + 8 * done, count - done);
  }

  lerp32(out: number, previous: number, current: number, count: number): void {
    const done = count & ~3;
    const isFirst = this.way();
    this.code.lerp32(out, isFirst ? previous : current, isFirst ? current : previous, out + 4 * done);
    if (done < count) this.rest.lerp32(out + 4 * done, previous + 4 * done, current + 4 * done, count - done);
  }

  angle64(out: number, previous: number, current: number, count: number): void {
    const done = count & ~1;
    const isFirst = this.way();
    this.code.angle64(out, isFirst ? previous : current, isFirst ? current : previous, out + 8 * done);
    if (done < count)
      this.rest.angle64(out + 8 * done, previous + 8 * done, current + 8 * done, count - done);
  }

  angle32(out: number, previous: number, current: number, count: number): void {
    const done = count & ~3;
    const isFirst = this.way();
    this.code.angle32(out, isFirst ? previous : current, isFirst ? current : previous, out + 4 * done);
    if (done < count)
      this.rest.angle32(out + 4 * done, previous + 4 * done, current + 4 * done, count - done);
  }

  hermite64(
    out: number,
    previous: number,
    current: number,
    previousVelocity: number,
    currentVelocity: number,
    count: number,
  ): void {
    const done = count & ~3;
    const base = this.curve(previous, current);
    this.code.hermite64(out, previous, current, base, previousVelocity, currentVelocity, out + 8 * done);
    if (done < count)
      this.rest.hermite64(
        out + 8 * done,
        previous + 8 * done,
        current + 8 * done,
        previousVelocity + 8 * done,
        currentVelocity + 8 * done,
        count - done,
      );
  }

  hermite32(
    out: number,
    previous: number,
    current: number,
    previousVelocity: number,
    currentVelocity: number,
    count: number,
  ): void {
    const done = count & ~1;
    const base = this.curve(previous, current);
    this.code.hermite32(out, previous, current, base, previousVelocity, currentVelocity, out + 4 * done);
    if (done < count)
      this.rest.hermite32(
        out + 4 * done,
        previous + 4 * done,
        current + 4 * done,
        previousVelocity + 4 * done,
        currentVelocity + 4 * done,
        count - done,
      );
  }

  nlerp64(out: number, previous: number, current: number, count: number): void {
    const t = this.factors[BLEND_T]!;
    if (t === 0 || t === 1) {
      this.code.copy(out, t === 0 ? previous : current, 32 * count);
      return;
    }
    this.numbers[1] = t;
    this.numbers[2] = 1 - t;
    this.code.nlerp64(out, previous, current, count);
  }

  slerp64(out: number, previous: number, current: number, count: number): void {
    this.rest.slerp64(out, previous, current, count);
  }

  /** Sets the factors of a blend from the nearer end, as in `lerp`. Returns whether that is the previous state. */
  private way(): boolean {
    const t = this.factors[BLEND_T]!;
    const isFirst = t < 0.5;
    this.numbers[4] = isFirst ? t : 1 - t;
    this.numbers[6] = isFirst ? 1 : -1;
    return isFirst;
  }

  private curve(previous: number, current: number): number {
    const t = this.factors[BLEND_T]!;
    const u = 1 - t;
    const isFirst = t < 0.5;
    this.numbers[0] = isFirst ? t * t * (3 - 2 * t) : -(u * u * (3 - 2 * u));
    this.numbers[1] = t;
    this.numbers[2] = u;
    this.numbers[3] = this.factors[BLEND_DT]!;
    return isFirst ? previous : current;
  }
}
