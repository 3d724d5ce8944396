import { badValue, misuse } from "../errors/index.js";
import { JsKernels } from "./js-kernels.js";
import type { Kernels } from "./kernels.js";
import { WasmKernels } from "./wasm-kernels.js";

/** Options of `layout.allocate`. */
export interface StateOptions {
  /**
   * "wasm" copies, blends and hashes with WebAssembly SIMD, "js" without. The results are bit-identical. Default "auto":
   * wasm where the engine and the page's content security policy allow it.
   */
  readonly kernels?: "auto" | "wasm" | "js" | undefined;
}

/** Maximum bytes of a world and its snapshots. */
const MAX_BYTES = 2 ** 31;

/** @internal Allocates memory for `states` states of `size` bytes. */
export function allocate(size: number, states: number, { kernels = "auto" }: StateOptions) {
  const tooLarge = (problem: string, cause?: unknown) =>
    misuse(
      "unsupported",
      "Layout.allocate",
      `cannot allocate ${states} × ${size} bytes: ${problem}`,
      "Allocate fewer snapshots, or declare smaller tables",
      cause,
    );
  if (kernels !== "auto" && kernels !== "wasm" && kernels !== "js")
    badValue("Layout.allocate: kernels", '"auto", "wasm" or "js"', kernels, '"auto"');
  if (size * states > MAX_BYTES) tooLarge(`the maximum is ${MAX_BYTES} bytes`);
  try {
    return memoryOf(size * states, kernels);
  } catch (error) {
    if (error instanceof RangeError) tooLarge("out of memory", error);
    throw error;
  }
}

/**
 * How many allocations skip WebAssembly after one failed for lack of memory. Engines reserve gigabytes of address space for
 * each WebAssembly memory, and may collect garbage for seconds before they give up. The number doubles with each failure.
 */
let skips = 0;
let nextSkips = 8;
const MAX_SKIPS = 1024;

/**
 * @internal Allocates at least `bytes` bytes, all 0, with the kernels that work on them. "auto" falls back to JavaScript if WebAssembly
 * is not available; "wasm" throws. The results are the same.
 */
export function memoryOf(
  bytes: number,
  which: "auto" | "wasm" | "js",
): { buffer: ArrayBuffer; kernels: Kernels } {
  if (which === "wasm" || (which === "auto" && skips-- <= 0)) {
    try {
      const kernels = new WasmKernels(bytes);
      skips = 0;
      nextSkips = 8;
      return { buffer: kernels.buffer, kernels };
    } catch (error) {
      if (which === "wasm")
        misuse(
          "unsupported",
          "Layout.allocate",
          `WebAssembly with SIMD is not available (${String(error)})`,
          'Use kernels: "auto" or "js"',
          error,
        );
      // A large allocation that fails says nothing about small ones.
      if (error instanceof RangeError && bytes < 2 ** 24) {
        skips = nextSkips;
        nextSkips = Math.min(2 * nextSkips, MAX_SKIPS);
      }
    }
  }
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  return { buffer, kernels: new JsKernels(buffer) };
}
