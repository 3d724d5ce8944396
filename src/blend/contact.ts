import { badValue, misuse, requireNumber, requireType, requireWhole } from "../errors/index.js";
import { COMPONENTS } from "./kinds.js";
import { isView, trackersOf, type Placement } from "./trackers.js";

/** Where an object was at a moment: a number, or several for a vector. Components that are left out are blended as usual. */
export type ContactAt<T> = { readonly [K in keyof T]?: number | ArrayLike<number> | Partial<Point> };
type Point = { readonly x: number; readonly y: number; readonly z: number };

/**
 * Records that an object, or one row of columns, touched something during this step: at `fraction` of the step (0 to 1), the
 * fields of `at` had these values. The picture then goes there first, and on to the current state from there, so a bounce
 * keeps its sharp V. Call it inside the step. Ignores objects that have no view; views that are extrapolated go on from the
 * contact with the velocity after it.
 */
export function contact<T extends object>(object: T, fraction: number, at: ContactAt<T>, row?: number): void {
  requireType("contact: object", object, "object", "the object that you passed to smooth");
  requireNumber("contact: fraction", fraction, 0, 1, 0.5);
  if (isView(object))
    misuse("unsupported", "contact", "the object is a view", "Pass the object that you passed to smooth");
  if (row !== undefined) requireWhole("contact: row", row, 0, 0);
  const place = placementOf(at);
  const trackers = trackersOf(object);
  let isInStep = trackers.length === 0;
  for (const tracker of trackers) if (tracker.contact(fraction, place, row)) isInStep = true;
  if (!isInStep)
    misuse("not-ready", "contact", "no step is running that moves the object", "Call it inside the step");
}

/** Returns the numbers of each field, or throws. */
function placementOf(at: unknown): Placement {
  if (typeof at !== "object" || at === null) badValue("contact: at", "an object", at, "{ y: 0 }");
  return new Map(Object.entries(at as object).map(([name, value]) => [name, numbersOf(name, value)]));
}

function numbersOf(name: string, value: unknown): readonly (number | undefined)[] {
  let numbers: readonly unknown[] = [value];
  if (Array.isArray(value)) numbers = value;
  else if (typeof value === "object" && value !== null)
    numbers = ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : COMPONENTS.map((key) => (value as Record<string, unknown>)[key]);
  const isGiven = numbers.some((number) => number !== undefined);
  if (!isGiven || !numbers.every((number) => number === undefined || Number.isFinite(number)))
    badValue(`contact: at.${name}`, "one or more finite numbers", value, 0);
  return numbers as readonly (number | undefined)[];
}
