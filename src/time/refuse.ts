/** Throws the error that all bad input gets: the call and its part, the rule, the value, the way out. */
export function refuse(subject: string, rule: string, value: unknown, cure: unknown): never {
  throw new RangeError(`${subject} must be ${rule}, got ${show(value)}. Try ${cure}.`);
}

/** A number between two bounds, or an error. */
export function requireNumber(
  subject: string,
  value: unknown,
  least: number,
  most: number,
  cure: unknown,
): asserts value is number {
  if (!(typeof value === "number" && value >= least && value <= most))
    refuse(subject, `a number from ${least} to ${most}`, value, cure);
}

/** A whole number, or an error. */
export function requireWhole(subject: string, value: unknown, least: number, cure: unknown): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= least))
    refuse(subject, `a whole number, ${least} or more`, value, cure);
}

/** At least so many numbers in a row, or an error. Its subject comes in parts, as joining them would allocate. */
export function requireNumbers(call: string, part: string, value: unknown, atLeast: number): void {
  if (!(value instanceof Float64Array || value instanceof Float32Array))
    refuse(`${call}: ${part}`, "a Float64Array or a Float32Array", value, "new Float64Array(4)");
  if (value.length < atLeast)
    refuse(`${call}: ${part}.length`, `${atLeast} or more`, value.length, "a smaller count");
}

/** Two columns whose first so many numbers do not lie on one another, or an error. */
export function requireApart(call: string, part: string, value: Column, other: Column, count: number): void {
  const ends = value.byteOffset + count * value.BYTES_PER_ELEMENT;
  const otherEnds = other.byteOffset + count * other.BYTES_PER_ELEMENT;
  // The same array, or another view of the same memory.
  if (value.buffer === other.buffer && value.byteOffset < otherEnds && other.byteOffset < ends)
    refuse(`${call}: ${part}`, "another column than position", "the same memory", "new Float64Array(length)");
}

type Column = Float64Array | Float32Array;

/** A value of the type that `typeof` tells, and not null, or an error. */
export function requireType(subject: string, value: unknown, type: string, cure: unknown): void {
  if (typeof value !== type || value === null) refuse(subject, `of type ${type}`, value, cure);
}

/** The same, of functions. */
export function requireFunction(subject: string, value: unknown, cure = "() => {}"): void {
  requireType(subject, value, "function", cure);
}

/** Refuses a promise that a callback returned, as the callback would continue between steps. Ignores any other value. */
export function requireSynchronous(subject: string, result: unknown, cure = "it without async"): void {
  if (!isPromise(result)) return;
  // Handle a later rejection, which would otherwise end the process.
  void Promise.resolve(result).then(ignore, ignore);
  refuse(subject, "synchronous", "a function that returns a promise", cure);
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}

function ignore(): void {}

/** Characters of a value that an error shows. */
const MOST_SHOWN = 60;

function show(value: unknown): string {
  try {
    // JSON has no NaN, and no infinities.
    if (typeof value === "number") return `${value}`;
    // Shorten inside the quotation marks.
    if (typeof value === "string") return JSON.stringify(shortened(value, MOST_SHOWN));
    const text = Array.isArray(value) ? `[${value}]` : JSON.stringify(value);
    return shortened(text, MOST_SHOWN);
  } catch {
    // A function, a BigInt, an object that holds itself.
    return typeof value;
  }
}

/** Shortens a text to at most `most` characters, after a whole word, and appends "…" if anything is left out. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${wholeWords(text, most)}…`;
}

/** The whole words of a text that fit into `most` characters. */
export function wholeWords(text: string, most: number): string {
  if (text.length <= most) return text;
  const start = text.slice(0, most);
  // Drop the last word only if the cut splits it.
  const isCut = /[\p{L}\p{N}_$]/u.test(text[most]!);
  const end = isCut ? start.search(/[^\p{L}\p{N}_$][\p{L}\p{N}_$]*$/u) : most;
  const whole = start.slice(0, Math.max(end, 0)).trimEnd();
  // One long word is split, but not within a surrogate pair.
  return whole || start.replace(/[\ud800-\udbff]$/, "");
}
