// What may be passed where the bytes of a file are expected.
import { isPromise } from "../errors/index.js";
import { CURE } from "./format.js";

/** The bytes of a file: any typed array or DataView, or a whole buffer. */
export type ReplayBytes = ArrayBufferView | ArrayBufferLike;

/** The part of a Blob or a File that is used here: so this package's declarations need neither the DOM's types nor Node's. */
export interface ReplayBlob {
  readonly size: number;
  slice(start?: number, end?: number): ReplayBlob;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** The type of a value, also from another realm (a frame, `vm`, a test runner), where `instanceof` fails. */
const tagOf = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

const isBuffer = (value: unknown): value is ArrayBufferLike =>
  ["ArrayBuffer", "SharedArrayBuffer"].includes(tagOf(value));

export function isBlob(value: unknown): value is ReplayBlob {
  const it = value as Partial<ReplayBlob> | null | undefined;
  return (
    typeof it === "object" &&
    typeof it?.arrayBuffer === "function" &&
    typeof it.slice === "function" &&
    typeof it.size === "number"
  );
}

/** The same memory as a Uint8Array, or an error that says what was passed instead. */
export function bytesOf(call: string, value: unknown): Uint8Array {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (!isBuffer(value))
    refuseKind(`${call}: bytes`, "a Uint8Array, an ArrayBuffer or a Blob", value, cureOf(value) ?? CURE);
  // A transferred buffer has no bytes, and no view of it can be made.
  return value.byteLength > 0 ? new Uint8Array(value) : new Uint8Array();
}

/** Like `refuse`, but names the kind of value: `refuse` would show a promise or a blob as "{}". */
export function refuseKind(subject: string, rule: string, value: unknown, cure: string): never {
  throw new RangeError(`${subject} must be ${rule}, got ${kindOf(value)}. Try ${cure}.`);
}

function kindOf(value: unknown): string {
  if (typeof value === "string") return `the string ${JSON.stringify(value.slice(0, 40))}`;
  if (typeof value === "function") return "a function";
  if (value === null || typeof value !== "object") return String(value);
  if (isPromise(value)) return "a Promise (did you forget await?)";
  if (Array.isArray(value)) return "an array";
  const name = (value as object).constructor?.name || tagOf(value);
  return name === "Object"
    ? "a plain object"
    : `${/^[aeiou]/i.test(name) && !/^u(?:int|se)/i.test(name) ? "an" : "a"} ${name}`;
}

/** How to get bytes from values that are often passed instead. */
function cureOf(value: unknown): string | undefined {
  if (typeof value === "string") return `the bytes of that file, such as await readFile(path)`;
  if (typeof value !== "object" || value === null) return undefined;
  if (isPromise(value)) return "the value that it resolves to";
  if (Array.isArray(value) && value.length > 0 && value.every(ArrayBuffer.isView)) return "new Blob(pieces)";
  if (typeof (value as { arrayBuffer?: unknown }).arrayBuffer === "function")
    return "await response.arrayBuffer()";
  if (typeof (value as { getReader?: unknown }).getReader === "function")
    return "await new Response(stream).arrayBuffer()";
  if (typeof (value as { getFile?: unknown }).getFile === "function") return "await handle.getFile()";
  return undefined;
}
