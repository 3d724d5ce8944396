import { badValue, misuse, requireNumber, unknownName } from "../errors/index.js";
import { Contacts } from "./contacts.js";
import { canShift, type AnyFields } from "./kinds.js";
import { fieldNumbers, requireTrackers } from "./require-trackers.js";
import type { FieldNumbers } from "./trackers.js";

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
  const trackers = requireTrackers("contact", object, row);
  requireNumber("contact: fraction", fraction, 0, 1, 0.5);
  const place = fieldNumbers("contact: at", at, "{ y: 0 }");
  for (const [name, numbers] of place)
    if (numbers.every((number) => number === undefined))
      badValue(`contact: at.${name}`, "one or more numbers", {}, 0);
  for (const tracker of trackers) {
    const { owner, fields, rows } = tracker;
    if (rows !== undefined && row === undefined)
      badValue(
        "contact: row",
        "the number of a row of the columns",
        row,
        "contact(columns, 0.5, { y: 0 }, row)",
      );
    checkPlace(place, owner.kinds);
    if (!tracker.isEntered(row)) continue;
    owner.contacts ??= new Contacts();
    for (const field of fields)
      for (const [j, value] of (place.get(field.name) ?? []).entries())
        if (value !== undefined)
          owner.contacts.add(tracker, field, (row ?? 0) * field.kind.width + j, fraction, value);
  }
  if (trackers.length > 0 && !trackers.some(({ owner }) => owner.isInStep))
    misuse("not-ready", "contact", "no step is running that moves the object", "Call it inside the step");
}

/** Throws for fields whose contact cannot be shown: held values, rotations and fields that are not smoothed. */
function checkPlace(at: FieldNumbers, kinds: AnyFields): void {
  for (const [name, numbers] of at) {
    const kind = kinds[name];
    if (!kind) unknownName("contact", "field", name, Object.keys(kinds));
    if (!canShift(kind))
      misuse(
        "unsupported",
        "contact",
        `${name} is a ${kind.name} field, which has no contact`,
        "Leave it out",
      );
    if (numbers.some((number, j) => number !== undefined && j >= kind.width))
      badValue(`contact: at.${name}`, `at most ${kind.width} numbers, like the field`, numbers, 0);
  }
}
