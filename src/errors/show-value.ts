/** Longest text of a value in an error, in characters. */
const MAX_SHOWN = 60;

/** Describes a value in an error: numbers, texts and plain objects by what they hold, other objects by their type. */
export function showValue(value: unknown): string {
  try {
    switch (typeof value) {
      case "string":
        // Shorten inside the quotation marks.
        return JSON.stringify(shortened(value, MAX_SHOWN));
      case "bigint":
        return shortened(`${value}n`, MAX_SHOWN);
      case "function":
        return "a function";
      case "object":
        return value === null ? "null" : showObject(value);
      default:
        return String(value);
    }
  } catch {
    // A proxy or getter that throws.
    return "an object";
  }
}

function showObject(value: object): string {
  if (isPromise(value)) return "a Promise, did you forget `await`?";
  // JSON has no NaN, and no infinities.
  if (Array.isArray(value) && value.every((item) => typeof item === "number"))
    return shortened(`[${value}]`, MAX_SHOWN);
  // As JSON, an array of typed arrays or of class instances would be noise.
  if (Array.isArray(value) && value.some(isOpaque)) return `an array of ${value.length}`;
  const type = typeName(value);
  if (type !== "Object" && type !== "Array") return `${/^[AEIO]/i.test(type) ? "an" : "a"} ${type}`;
  try {
    return shortened(JSON.stringify(value), MAX_SHOWN);
  } catch {
    // It holds itself, or a bigint.
    return "an object";
  }
}

const typeName = (value: object): string => value.constructor?.name || typeTag(value);

/** Whether a value is shown by its type, not by what it holds. */
const isOpaque = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !["Object", "Array"].includes(typeName(value));

/** Returns the type of a value, also from another realm (a frame, `vm`, a test runner), where `instanceof` fails. */
export const typeTag = (value: unknown): string => Object.prototype.toString.call(value).slice(8, -1);

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

/** Shortens a text to at most `max` characters, after a whole word, and appends "…" if anything is left out. */
export function shortened(text: string, max: number): string {
  const words = wholeWords(text, max);
  return words === text ? text : `${words}…`;
}

/** Returns the whole words of a text that fit into `max` characters, or the start of a single long word. */
export function wholeWords(text: string, max: number): string {
  if (text.length <= max) return text;
  // With one more character, to see whether a word ends there; never half of a surrogate pair.
  const [start] = text.slice(0, max + 1).match(/^.*(?=[^\p{L}\p{N}_$])/su) ?? [""];
  return start.trimEnd() || text.slice(0, max).replace(/[\ud800-\udbff]$/, "");
}

/** Shows bytes in the order of a file: as a text if they are ASCII, or else as hexadecimal digits. */
export function showBytes(bytes: Uint8Array): string {
  const isText = bytes.every((byte) => (byte >= 0x20 && byte < 0x7f) || [9, 10, 13].includes(byte));
  if (isText) return JSON.stringify(String.fromCharCode(...bytes));
  return `the bytes ${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(" ")}`;
}
