import { badValue, misuse } from "../errors/index.js";
import { JsKernels } from "./js-kernels.js";
import type { Kernels } from "./kernels.js";
import { sharedMemory, WasmKernels } from "./wasm-kernels.js";

/** Options of `layout.allocate`. */
export interface StateOptions {
  /**
   * "wasm" copies, blends and hashes with WebAssembly SIMD, "js" without. The results are bit-identical. Default "auto":
   * wasm where the engine and the page's content security policy allow it.
   */
  readonly kernels?: "auto" | "wasm" | "js" | undefined;
}

/** Memory for states that several threads use: with the kernels in WebAssembly, or without. */
export type SharedMemory = WasmMemory | SharedArrayBuffer;

/** A `WebAssembly.Memory`, without the type of that name, which only the types of pages and of Node declare. */
interface WasmMemory {
  readonly buffer: ArrayBufferLike;
  grow(pages: number): number;
}

/** @internal Where the states of a thread are: in memory that it shares with others, in which each has its own number. */
export interface Attachment {
  readonly memory: SharedMemory;
  readonly thread: number;
}

/** @internal Allocates memory for states that some threads use. Throws if the platform forbids shared memory. */
export function allocateShared(
  size: number,
  states: number,
  threads: number,
  which: "auto" | "wasm" | "js" = "auto",
): SharedMemory {
  const bytes = size * states;
  if (which !== "js")
    try {
      const memory = sharedMemory(bytes, threads);
      // Fails where WebAssembly has no SIMD.
      void new WasmKernels(bytes, { memory, thread: 0 });
      return memory;
    } catch (error) {
      if (which === "wasm") throw error;
    }
  return new SharedArrayBuffer(Math.ceil(bytes / 8) * 8);
}

/** @internal Returns the kernels of a thread for memory that it shares. Writes only to its own scratch area. */
export function attachShared({ memory, thread }: Attachment): { buffer: ArrayBuffer; kernels: Kernels } {
  if (memory instanceof WebAssembly.Memory) {
    const kernels = new WasmKernels(0, { memory, thread });
    return { buffer: kernels.buffer, kernels };
  }
  const buffer = memory as unknown as ArrayBuffer;
  return { buffer, kernels: new JsKernels(buffer) };
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
