import { badValue } from "../errors/index.js";

/** Throws unless the value is a time from `min` to `max`. The error names the unit. */
export function requireTime(
  subject: string,
  unit: "seconds" | "milliseconds",
  value: unknown,
  [min, max]: readonly [number, number],
  fix: number,
): void {
  if (!(typeof value === "number" && value >= min && value <= max))
    badValue(subject, `a number of ${unit} from ${min} to ${max}`, value, fix);
}
