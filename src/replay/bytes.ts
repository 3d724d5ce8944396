// The values that are accepted as the bytes of a file.
import { badValue, isPromise, typeTag } from "../errors/index.js";

/** The bytes of a file: any typed array or DataView, or a whole buffer. */
export type ReplayBytes = ArrayBufferView | ArrayBufferLike;

/** The part of a Blob or a File that Tickwise uses. Declared here, so that its types need neither the DOM nor Node. */
export interface ReplayBlob {
  readonly size: number;
  slice(start?: number, end?: number): ReplayBlob;
  arrayBuffer(): Promise<ArrayBuffer>;
}

const isBuffer = (value: unknown): value is ArrayBufferLike =>
  ["ArrayBuffer", "SharedArrayBuffer"].includes(typeTag(value));

export function isBlob(value: unknown): value is ReplayBlob {
  const it = value as Partial<ReplayBlob> | null | undefined;
  return (
    typeof it === "object" &&
    typeof it?.arrayBuffer === "function" &&
    typeof it.slice === "function" &&
    typeof it.size === "number"
  );
}

/** Returns the same memory as a Uint8Array. Throws if the value is something else. */
export function bytesOf(call: string, value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (!isBuffer(value))
    badValue(`${call}: bytes`, "a Uint8Array, an ArrayBuffer or a Blob", value, fixFor(value));
  // A transferred buffer has no bytes, and a view of it cannot be made.
  return value.byteLength > 0 ? new Uint8Array(value) : new Uint8Array();
}

/** Says how to get bytes from values that are often passed instead. */
function fixFor(value: unknown): string {
  if (typeof value === "string") return "the bytes of that file, such as await readFile(path)";
  if (typeof value === "object" && value !== null && !isPromise(value)) {
    if (Array.isArray(value) && value.length > 0 && value.every(ArrayBuffer.isView))
      return "new Blob(pieces)";
    const { arrayBuffer, getReader, getFile } = value as Record<string, unknown>;
    if (typeof arrayBuffer === "function") return "await response.arrayBuffer()";
    if (typeof getReader === "function") return "await new Response(stream).arrayBuffer()";
    if (typeof getFile === "function") return "await handle.getFile()";
  }
  return "recorder.bytes()";
}
