import { badValue } from "../errors/index.js";
import { JsKernels } from "./js-kernels.js";
import type { Kernels } from "./kernels.js";
import { WasmKernels } from "./wasm-kernels.js";

/** Options of `layout.allocate`. */
export interface StateOptions {
  /**
   * "wasm" copies, blends and hashes by SIMD, "js" without; the results are the same to the bit. Default "auto":
   * wasm where the engine and the page's content security policy allow it.
   */
  readonly kernels?: "auto" | "wasm" | "js" | undefined;
}

/** Most bytes of a world and its snapshots. */
const MAX_BYTES = 2 ** 31;

/** Memory for so many states. */
export function allocate(size: number, states: number, { kernels = "auto" }: StateOptions) {
  const badSize = (rule: string) =>
    badValue(
      "Layout.allocate: memory",
      rule,
      `${states} states of ${size} bytes`,
      "fewer snapshots, or tables of fewer rows",
    );
  if (kernels !== "auto" && kernels !== "wasm" && kernels !== "js")
    badValue("Layout.allocate: kernels", '"auto", "wasm" or "js"', kernels, '"auto"');
  if (size * states > MAX_BYTES) badSize(`at most ${MAX_BYTES} bytes`);
  try {
    return memoryOf(size * states, kernels);
  } catch (error) {
    // What the engine says of it has no more in it; what the kernels say has.
    if (error instanceof RangeError && /allocation failed|array length|buffer/i.test(error.message))
      badSize("as much as can be had");
    throw error;
  }
}

/**
 * How often wasm is not asked for, as there was no memory for it: engines reserve gigabytes of addresses for each, and
 * look for garbage, for seconds at worst, before they refuse one. The more so, the longer there is none.
 */
let rest = 0;
let nextRest = 8;
const MAX_REST = 1024;

/**
 * Memory of at least so many bytes, all 0, and the loops over it: by wasm where it can be had, or in JS. Where the one
 * is asked for and cannot be had, it throws; `"auto"` takes the other then. The results are the same.
 */
export function memoryOf(
  bytes: number,
  which: "auto" | "wasm" | "js",
): { buffer: ArrayBuffer; kernels: Kernels } {
  if (which === "wasm" || (which === "auto" && rest-- <= 0)) {
    try {
      const kernels = new WasmKernels(bytes);
      rest = 0;
      nextRest = 8;
      return { buffer: kernels.buffer, kernels };
    } catch (error) {
      if (which === "wasm")
        badValue(
          "Layout.allocate: kernels",
          `"auto" or "js", as there is no wasm to be had (${error})`,
          which,
          '"auto"',
        );
      // That there is no room for much says nothing about little.
      if (error instanceof RangeError && bytes < 2 ** 24) {
        rest = nextRest;
        nextRest = Math.min(2 * nextRest, MAX_REST);
      }
    }
  }
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  return { buffer, kernels: new JsKernels(buffer) };
}
