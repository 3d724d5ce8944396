import { isPromise } from "./show-value.js";
import { badValue, misuse } from "./tickwise-error.js";

/** Throws unless the value is a number from `min` to `max`. */
export function requireNumber(
  subject: string,
  value: unknown,
  min: number,
  max: number,
  fix: unknown,
): asserts value is number {
  if (!(typeof value === "number" && value >= min && value <= max))
    badValue(subject, `a number from ${min} to ${max}`, value, fix);
}

/** Throws unless the value is a whole number, at least `min`. */
export function requireWhole(subject: string, value: unknown, min: number, fix: unknown): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= min))
    badValue(subject, `a whole number, ${min} or more`, value, fix);
}

/**
 * Throws unless the value is a float array of at least `min` numbers. The subject comes in parts, as joining them would
 * allocate.
 */
export function requireNumbers(call: string, part: string, value: unknown, min: number): void {
  if (!(value instanceof Float64Array || value instanceof Float32Array))
    badValue(`${call}: ${part}`, "a Float64Array or a Float32Array", value, "new Float64Array(4)");
  if (value.length < min)
    badValue(`${call}: ${part}.length`, `${min} or more`, value.length, "a smaller count");
}

/** Throws if the first `count` numbers of two columns overlap in memory. */
export function requireApart(call: string, part: string, value: Column, other: Column, count: number): void {
  const end = value.byteOffset + count * value.BYTES_PER_ELEMENT;
  const otherEnd = other.byteOffset + count * other.BYTES_PER_ELEMENT;
  // The same array, or another view of the same memory.
  if (value.buffer === other.buffer && value.byteOffset < otherEnd && other.byteOffset < end)
    misuse("in-use", call, `${part} shares memory with position`, "Try new Float64Array(length)");
}

type Column = Float64Array | Float32Array;

/** Throws unless `typeof value` is `type` and the value is not null. */
export function requireType(subject: string, value: unknown, type: string, fix: unknown): void {
  if (typeof value !== type || value === null)
    badValue(subject, `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`, value, fix);
}

/** Throws unless the value is a function. */
export function requireFunction(subject: string, value: unknown, fix = "() => {}"): void {
  requireType(subject, value, "function", fix);
}

/** Throws if a callback returned a promise, as the callback would continue between steps. Ignores any other value. */
export function requireSynchronous(
  subject: string,
  result: unknown,
  fix = "Remove async, and await before the loop starts",
): void {
  if (!isPromise(result)) return;
  // Handle a later rejection, which would otherwise end the process.
  void Promise.resolve(result).then(ignore, ignore);
  const [call, part] = subject.split(": ") as [string, string];
  misuse("async-callback", call, `${part} must be synchronous, but it returned a promise`, fix);
}

function ignore(): void {}
