/** Throws the error that every public call gives for bad input: the call, the rule, the value, the way out. */
export function refuse(call: string, rule: string, value: unknown, cure: unknown): never {
  throw new RangeError(`${call} must be ${rule}, got ${show(value)}. Try ${cure}.`);
}

/** A number between two bounds, or an error. */
export function requireNumber(
  call: string,
  value: unknown,
  least: number,
  most: number,
  cure: unknown,
): asserts value is number {
  if (!(typeof value === "number" && value >= least && value <= most))
    refuse(call, `a number from ${least} to ${most}`, value, cure);
}

/** A whole number, or an error. */
export function requireWhole(call: string, value: unknown, least: number, cure: unknown): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= least))
    refuse(call, `a whole number, ${least} or more`, value, cure);
}

/** A value of the type that `typeof` tells, and not null, or an error. */
export function requireType(call: string, value: unknown, type: string, cure: unknown): void {
  if (typeof value !== type || value === null) refuse(call, `of type ${type}`, value, cure);
}

function show(value: unknown): string {
  if (Array.isArray(value)) return `[${value.slice(0, 4).map(showPlain)}]`;
  return typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : showPlain(value);
}

// Objects and functions by their type alone: their text may be long, or throw.
const showPlain = (value: unknown) =>
  (typeof value === "object" && value) || typeof value === "function" ? typeof value : String(value);
