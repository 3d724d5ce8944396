// What a group may be, and which names its parts may have.
import { badValue, wholeWords } from "../errors/index.js";
import type { Fields } from "./parts.js";

/** Groups in groups; a group that holds itself has no end. */
const MAX_DEPTH = 200;

// As in JavaScript, but for $, which is ours.
const NAME = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

/** The parts of a group, each with a name that it can have. */
export function entriesOf(fields: Fields, path: string, depth: number): [string, Fields[string]][] {
  const at = `layout: ${wholeWords(path, 60) || "fields"}`;
  requirePlain(at, fields);
  if (depth > MAX_DEPTH)
    badValue(at, `a group at most ${MAX_DEPTH} deep`, "a deeper one", "a group that does not hold itself");
  const entries = Object.entries(fields);
  if (entries.length === 0) badValue(at, "a group with something in it", fields, "{ score: u32 }");
  for (const [name] of entries) {
    const subject = `layout: name${path && ` in ${wholeWords(path, 60)}`}`;
    if (!NAME.test(name)) badValue(subject, "letters, digits and _, no digit first", name, "score");
    if (name in Object.prototype) badValue(subject, "none that every object has", name, `${name}_`);
  }
  return entries;
}

/** A group is no instance of anything: a typed array, a field of another copy of this package. */
function requirePlain(subject: string, value: unknown): void {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return;
  const { name } = ((value as object | undefined)?.constructor ?? {}) as { name?: string };
  badValue(
    subject,
    "a field, a table, a list or a group of them",
    typeof value === "object" && name ? `an object of ${name}` : value,
    // A mark that there is not reads as nothing.
    value === undefined ? "f64, or its marks .lerp, .angle, .hermite(…); quat.slerp" : "{ score: u32 }",
  );
}
