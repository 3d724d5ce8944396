import { nearest } from "./nearest.js";
import { requireType } from "./require.js";
import { isPromise } from "./show-value.js";
import { badValue, misuse } from "./tickwise-error.js";

/**
 * Throws if options have a name that the call does not know: a misspelt option would be ignored silently. For options within
 * an option, `part` is the name of that option.
 */
export function requireKnownOptions(
  call: string,
  options: object,
  names: readonly string[],
  part?: string,
): void {
  for (const name of Object.keys(options))
    if (!names.includes(name)) unknownName(call, "option", name, names, part);
}

/** Throws unless the value is an object whose names the call knows. */
export function requireOptions(call: string, options: unknown, names: readonly string[], fix = "{}"): void {
  requireType(`${call}: options`, options, "object", fix);
  // They have no options, so nothing else would reject them.
  if (isPromise(options) || Array.isArray(options)) badValue(`${call}: options`, "an object", options, fix);
  requireKnownOptions(call, options as object, names);
}

/** Throws if a call was given more arguments than it takes: `requireArguments("ramp", arguments.length, 2)`. */
export function requireArguments(call: string, count: number, max: number): void {
  if (count > max) {
    const limit = max === 0 ? "no arguments" : `at most ${max} argument${max === 1 ? "" : "s"}`;
    misuse("unknown-option", call, `takes ${limit}, got ${count}`);
  }
}

/** Throws for a name that is not declared: an event, an effect, a field. Suggests the one that was probably meant, or lists all. */
export function unknownName(
  call: string,
  kind: string,
  name: unknown,
  names: readonly string[],
  part?: string,
): never {
  const text = String(name);
  const near = nearest(text, names);
  misuse(
    kind === "option" ? "unknown-option" : "unknown-name",
    call,
    `unknown ${kind} ${JSON.stringify(part ? `${part}.${text}` : text)}`,
    near === undefined ? `Known: ${names.join(", ") || "none"}` : `Did you mean ${JSON.stringify(near)}?`,
  );
}
