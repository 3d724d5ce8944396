import type { NonFinite } from "../state/index.js";

/** Says which number is not finite, and what wrote it. */
export const problemOfNonFinite = ({ path, value }: NonFinite, writer: string): string =>
  `${path} is ${value} after ${writer}`;

/** Says what to look for. */
export function fixForNonFinite({ value }: NonFinite): string {
  const cause = Number.isNaN(value)
    ? "Look for 0 / 0, an index out of range, or a value that is not a number"
    : "Look for a division by zero";
  return `${cause}; or allow it in this field: f64.allowNonFinite`;
}

/** Describes all numbers that are not finite: the first one in full, and each other in one line. */
export function describeNonFinite(found: readonly NonFinite[], writer: string): string {
  const [first, ...others] = found as [NonFinite, ...NonFinite[]];
  const lines = others.map(({ path, value }) => `\n${path}: ${value}`).join("");
  return `${problemOfNonFinite(first, writer)}. ${fixForNonFinite(first)}.${lines}`;
}
