import { refuse, requireWhole } from "../time/refuse.js";
import { JsKernels } from "./js-kernels.js";
import { WasmKernels } from "./wasm-kernels.js";

/** The loops over the memory of a simulation. Offsets and sizes are in bytes from its start; none allocates. */
export interface Kernels {
  readonly name: "wasm" | "js";

  copy(to: number, from: number, bytes: number): void;

  /**
   * Writes a snapshot's digest to `out[0]` and `out[1]`, unsigned. Its areas of doubles, of floats and of integers
   * follow one another from `from` on, each of a multiple of 64 bytes.
   */
  hash(
    from: number,
    f64Bytes: number,
    f32Bytes: number,
    intBytes: number,
    out: { [index: number]: number },
  ): void;

  /** The functions of `tickwise/blend` to the bit, for `count` numbers in a row. Floats are rounded once, at the end. */
  lerp64: Blend;
  lerp32: Blend;
  angle64: Blend;
  angle32: Blend;
  hermite64: BlendCurve;
  hermite32: BlendCurve;

  /** The same for `count` quaternions of four doubles. */
  nlerp64: Blend;
  slerp64: Blend;
}

type Blend = (out: number, previous: number, current: number, count: number, t: number) => void;

type BlendCurve = (
  out: number,
  previous: number,
  current: number,
  previousVelocity: number,
  currentVelocity: number,
  count: number,
  dt: number,
  t: number,
) => void;

/**
 * How often wasm is not asked for, as there was no memory for it: engines reserve gigabytes of addresses for each, and
 * look for garbage, for seconds at worst, before they refuse one. The more so, the longer there is none.
 */
let rest = 0;
let nextRest = 8;
const LONGEST_REST = 1024;

/**
 * Memory of at least so many bytes, all 0, and the loops over it: by wasm where it can be had, or in JS. Where the one
 * is asked for and cannot be had, it throws; `"auto"` takes the other then. The results are the same.
 */
export function memoryOf(
  bytes: number,
  which: "auto" | "wasm" | "js",
): { buffer: ArrayBuffer; kernels: Kernels } {
  requireWhole("memoryOf: bytes", bytes, 0, 65536);
  if (which !== "auto" && which !== "wasm" && which !== "js")
    refuse("memoryOf: which", '"auto", "wasm" or "js"', which, '"auto"');
  if (which === "wasm" || (which === "auto" && rest-- <= 0)) {
    try {
      const kernels = new WasmKernels(bytes);
      rest = 0;
      nextRest = 8;
      return { buffer: kernels.buffer, kernels };
    } catch (error) {
      if (which === "wasm")
        refuse(
          "memoryOf: which",
          `"auto" or "js", as there is no wasm to be had (${error})`,
          which,
          '"auto"',
        );
      // That there is no room for much says nothing about little.
      if (error instanceof RangeError && bytes < 2 ** 24) {
        rest = nextRest;
        nextRest = Math.min(2 * nextRest, LONGEST_REST);
      }
    }
  }
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  return { buffer, kernels: new JsKernels(buffer) };
}
