import type { NonFinite } from "../state/index.js";

/** Says which numbers are not finite, what wrote them and what to do: in full for the first, one line for each other. */
export function describeNonFinite(found: readonly NonFinite[], writer: string): string {
  const [{ path, value }, ...others] = found as [NonFinite, ...NonFinite[]];
  const cause = Number.isNaN(value)
    ? "Look for 0 / 0, an index out of range, or a value that is not a number"
    : "Look for a division by zero";
  const lines = others.map((other) => `\n${other.path}: ${other.value}`).join("");
  return `${path} is ${value} after ${writer}. ${cause}; or allow it in this field: f64.allowNonFinite.${lines}`;
}
