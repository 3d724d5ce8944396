import { fromBase64 } from "../../state/base64.js";
import { CODE } from "./kernel-code.js";
import { jsKernel, type Kernel } from "./kernel.js";

const PAGE = 65536;

let module: WebAssembly.Module | undefined;

/** The memory of a codec, and the kernel that works on it. */
export interface KernelMemory {
  readonly name: "wasm" | "js";
  readonly buffer: ArrayBuffer;
  readonly kernel: Kernel;
}

/** Allocates memory. "auto" takes WebAssembly where the engine and the page's content security policy allow it. */
export function kernelMemory(bytes: number, which: "auto" | "wasm" | "js"): KernelMemory {
  if (which !== "js") {
    try {
      module ??= new WebAssembly.Module(fromBase64(CODE));
      const pages = Math.ceil(bytes / PAGE);
      const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
      const { exports } = new WebAssembly.Instance(module, { tickwise: { memory } });
      return { name: "wasm", buffer: memory.buffer, kernel: exports as unknown as Kernel };
    } catch (error) {
      if (which === "wasm") throw error;
    }
  }
  const buffer = new ArrayBuffer(Math.ceil(bytes / 8) * 8);
  return { name: "js", buffer, kernel: jsKernel(buffer) };
}
