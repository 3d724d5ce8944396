/** Longest text of a value in an error, in characters. */
const MAX_SHOWN = 60;

/** Describes a value in an error: numbers, texts and plain objects by what they hold, other objects by their type. */
export function showValue(value: unknown): string {
  try {
    // Shorten inside the quotation marks.
    if (typeof value === "string") return JSON.stringify(shortened(value, MAX_SHOWN));
    if (typeof value === "function") return "a function";
    if (isPromise(value)) return "a Promise, did you forget `await`?";
    return shortened(typeof value === "object" && value ? showObject(value) : showPlain(value), MAX_SHOWN);
  } catch {
    // A proxy or a getter that throws; an object that holds itself, or a bigint.
    return "an object";
  }
}

const showPlain = (value: unknown): string => `${String(value)}${typeof value === "bigint" ? "n" : ""}`;

function showObject(value: object): string {
  const type = value.constructor?.name || typeTag(value);
  if (!/^(Object|Array)$/.test(type)) return `${/^[AEIO]/i.test(type) ? "an" : "a"} ${type}`;
  // JSON has no NaN, and no infinities.
  const isNumbers = Array.isArray(value) && value.every((item) => typeof item === "number");
  return isNumbers ? `[${value}]` : JSON.stringify(value);
}

/** Returns the type of a value, also from another realm (a frame, `vm`, a test runner), where `instanceof` fails. */
export const typeTag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/** Shortens a text to at most `max` characters, without half of a surrogate pair, and appends "…" if anything is left out. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max).replace(/[\ud800-\udbff]$/, "")}…` : text;
}

/** Shows bytes in the order of a file: as a text if they are ASCII, or else as hexadecimal digits. */
export function showBytes(bytes: Uint8Array): string {
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || [9, 10, 13].includes(byte));
  if (isText) return JSON.stringify(String.fromCharCode(...bytes));
  return `the bytes ${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}
