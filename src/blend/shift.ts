import { badValue, misuse } from "../errors/index.js";
import { canShift, COMPONENTS } from "./kinds.js";
import { fieldNumbers, rejectState, requireTrackers } from "./require-trackers.js";
import type { FieldNumbers, Tracker } from "./trackers.js";

/** The amount to move each field by: a number, or several for a vector. */
export type ShiftBy<T> = { readonly [K in keyof T]?: number | ArrayLike<number> | Partial<Point> };
type Point = { readonly x: number; readonly y: number; readonly z: number };

/**
 * Moves an object, columns, or one row of columns, together with the states that its view is blended from: through a portal,
 * or when the origin of the world moves. The visible motion continues without a jump.
 */
export function shift<T extends object>(object: T, by: ShiftBy<T>, row?: number): void {
  const trackers = requireTrackers("shift", object, row);
  rejectState("shift", object);
  const amounts = fieldNumbers("shift: by", by, "{ x: 100 }");
  let move = () => {
    if (trackers[0]?.move) trackers[0].move(amounts, row);
    else moveObject(object, amounts);
  };
  for (const tracker of trackers) {
    const inner = move;
    move = () => shiftStates(tracker, amounts, row, inner);
  }
  move();
}

/** Moves the states of an object, and calls `move` to move the object itself. Numbers that were written after the step are shown as they are, so their states stay unchanged. */
function shiftStates(tracker: Tracker, by: FieldNumbers, row: number | undefined, move: () => void): void {
  const { owner, numbers } = tracker;
  for (const name of by.keys())
    if (owner.kinds[name] && !canShift(owner.kinds[name]))
      misuse(
        "unsupported",
        "shift",
        `${name} is a ${owner.kinds[name].name} field, which cannot be shifted`,
        "Call teleport(object) instead",
      );
  const [first, end] = tracker.range(row);
  const isEntered = tracker.isEntered(row);
  const shifted = tracker.fields
    .filter(({ name }) => by.has(name))
    .map((field) => {
      const { width } = field.kind;
      const parts = Array.from({ length: (end - first) * width }, (_, i) => first * width + i);
      return { field, parts: parts.filter((part) => isEntered || !tracker.isWritten(field, part)) };
    });
  move();
  for (const { field, parts } of shifted) {
    const { name, kind, motion, from, extra } = field;
    const states = tracker.statesOf(field);
    for (const part of parts) {
      const i = numbers + from + part;
      const amount = by.get(name)![part % kind.width] ?? 0;
      states.previous[i]! += amount;
      // Read it from the object, which may store fewer digits.
      states.current[i] = tracker.read(field, part);
      motion?.shift?.(states, numbers + extra + part, amount);
      owner.contacts?.shift(tracker, field, part, amount, states.previous[i]!);
    }
  }
}

/** Adds to the fields of an object. Throws before it changes any of them if one is not a number or a vector. */
function moveObject(object: object, by: FieldNumbers): void {
  const moves: (() => void)[] = [];
  const add = (target: object, key: string | number, amount: number, subject: string) => {
    const fields = target as Record<string | number, unknown>;
    const before = fields[key];
    if (typeof before !== "number")
      badValue(subject, "the name of a number or a vector", before, "another field");
    moves.push(() => (fields[key] = before + amount));
  };
  for (const [name, amounts] of by) {
    const value = (object as Record<string, unknown>)[name];
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    if (typeof value === "number" && amounts.length > 1)
      badValue(`shift: by.${name}`, "a single number, like the field", amounts, 100);
    for (const [i, amount] of amounts.entries())
      if (typeof value !== "object" || value === null) add(object, name, amount ?? 0, `shift: by.${name}`);
      else if (amount) add(value, isList ? i : COMPONENTS[i]!, amount, `shift: by.${name}`);
  }
  for (const move of moves) move();
}
