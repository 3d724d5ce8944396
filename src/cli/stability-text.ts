import { escaped } from "./escape.js";
import { indented } from "./screen.js";
import type { Rung, StabilityFindings, StabilityTask } from "./stability-task.js";

/** Where the text of a rate begins. */
const COLUMN = 20;

const text = (value: number): string => `${Number.isFinite(value) ? Number(value.toPrecision(4)) : value}`;

/** Says what the bounds are. */
export function boundsText(
  { min, max, factor }: StabilityTask,
  { measured, rungs }: StabilityFindings,
): string {
  const shown = escaped(measured);
  if (min !== undefined && max !== undefined) return `${shown} from ${min} to ${max}`;
  if (max !== undefined) return `${shown} up to ${max}`;
  if (min !== undefined) return `${shown} from ${min} on`;
  return `${shown} up to ${factor} times its size at ${text(rungs[0]!.rate)} steps per second`;
}

/** Says what happened at a rate. */
export function rungText(rung: Rung, declared: number): string {
  const { isStable, name, value, seconds, rate, thrown } = rung;
  if (thrown !== undefined) return indented(thrown, COLUMN).trimStart();
  const shown = escaped(name);
  const what = isStable
    ? `${shown} ${value < 0 ? "down" : "up"} to ${text(value)}`
    : `${shown} is ${text(value)} after ${text(seconds!)} s`;
  return rate === declared ? `${what} (declared)` : what;
}

export const rateText = ({ rate }: Rung): string => text(rate).padStart(8);

/** Says from which rate on the simulation is in bounds. */
export function limitText({ stableFrom, unstable, rungs }: StabilityFindings): string {
  if (stableFrom === undefined)
    return "Out of bounds even at the highest rate. Try higher ones with --rates.";
  if (!unstable) return `In bounds at all rates, from ${text(stableFrom)} steps per second on.`;
  const { rate, name, seconds, thrown } = unstable;
  const what = thrown === undefined ? `${escaped(name)} goes out of bounds` : "the step throws";
  const limit = `In bounds from ${text(stableFrom)} steps per second on; at ${text(rate)}, ${what} after ${text(seconds!)} s.`;
  return stableFrom < rungs[0]!.rate
    ? limit
    : `${limit} Only the highest rate is in bounds, and it sets them. Try higher ones with --rates, or give --max.`;
}
