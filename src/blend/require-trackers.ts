import { badValue, misuse, requireType, requireWhole } from "../errors/index.js";
import { COMPONENTS } from "./kinds.js";
import { isView, trackersOf, type FieldNumbers, type Tracker } from "./trackers.js";

/** Returns what tracks an object, or columns. Throws for views, and for rows that do not exist. */
export function requireTrackers(call: string, object: object, row: number | undefined): readonly Tracker[] {
  requireType(`${call}: object`, object, "object", "the object that you passed to smooth");
  if (isView(object))
    misuse("unsupported", call, "the object is a view", "Pass the object that you passed to smooth");
  if (row !== undefined) requireWhole(`${call}: row`, row, 0, 0);
  const trackers = trackersOf(object);
  for (const { rows } of row === undefined ? [] : trackers)
    if (rows === undefined) badValue(`${call}: row`, "omitted for an object", row, `${call}(object)`);
    else if (row! >= rows) badValue(`${call}: row`, `below ${rows}, the number of rows`, row, 0);
  return trackers;
}

/**
 * Throws for a part of a world of `tickwise/state`, or a column or vector in its memory, that has no view. Checks for marker
 * properties, as this folder does not import that one, and a bundle may hold two copies of it.
 */
export function rejectState(call: string, object: object): void {
  const isInState = "$node" in object || (ArrayBuffer.isView(object) && "$state" in object.buffer);
  if (isInState && trackersOf(object).length === 0)
    misuse(
      "unsupported",
      call,
      "the object is part of a simulation's world",
      "Call skipBlend(part) of tickwise/state in the step that moves it",
    );
}

/** Returns the numbers of each field, or throws. */
export function fieldNumbers(subject: string, fields: unknown, example: string): FieldNumbers {
  if (typeof fields !== "object" || fields === null) badValue(subject, "an object", fields, example);
  return new Map(
    Object.entries(fields as object).map(([name, value]) => [name, numbersOf(`${subject}.${name}`, value)]),
  );
}

function numbersOf(subject: string, value: unknown): readonly (number | undefined)[] {
  let numbers: readonly unknown[] = [value];
  if (Array.isArray(value)) numbers = value;
  else if (typeof value === "object" && value !== null)
    numbers = ArrayBuffer.isView(value)
      ? Array.from(value as Float64Array)
      : COMPONENTS.map((key) => (value as Record<string, unknown>)[key]);
  if (!numbers.every((number) => number === undefined || Number.isFinite(number)) || value === undefined)
    badValue(subject, "one or more finite numbers", value, 100);
  return numbers as readonly (number | undefined)[];
}
