import { badValue, misuse, shortened } from "../errors/index.js";
import type { Fields } from "./parts.js";

/** Maximum nesting of groups. A group that contains itself exceeds it. */
const MAX_DEPTH = 200;

// An identifier of JavaScript without $, which is reserved for internal names.
const NAME = /^[\p{ID_Start}_]\p{ID_Continue}*$/u;

/** Returns the parts of a group, and throws if a name is not allowed. */
export function entriesOf(fields: Fields, path: string, depth: number): [string, Fields[string]][] {
  const shortPath = shortened(path, 60);
  const subject = `layout: ${shortPath || "fields"}`;
  requirePlain(subject, fields);
  if (depth > MAX_DEPTH)
    badValue(subject, `at most ${MAX_DEPTH} groups deep`, depth, "a group that does not contain itself");
  const entries = Object.entries(fields);
  if (entries.length === 0) badValue(subject, "a group with at least one field", fields, "{ score: u32 }");
  for (const [name] of entries) {
    if (!NAME.test(name))
      badValue(
        `layout: name${path && ` in ${shortPath}`}`,
        "letters, digits and _, not starting with a digit",
        name,
        "score",
      );
    if (name in Object.prototype)
      misuse("in-use", "layout", `"${name}" is reserved by Object.prototype`, `Try "${name}_"`);
  }
  return entries;
}

/** Throws for a class instance, such as a typed array or a field of another copy of this package. */
function requirePlain(subject: string, value: unknown): void {
  const prototype: unknown = typeof value === "object" && value !== null && Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === null) return;
  badValue(
    subject,
    "a field, a table, a list or a group of them",
    value,
    // A misspelt blend mode, such as f64.lrp, is undefined.
    value === undefined ? "f64, f64.lerp, f64.angle, f64.hermite(…) or quat.slerp" : "{ score: u32 }",
  );
}
