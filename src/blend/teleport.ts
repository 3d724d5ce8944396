import { misuse, requireType, requireWhole } from "../errors/index.js";
import { trackersOf, isView } from "./trackers.js";
import { moveObject, shiftOf } from "./move.js";

/**
 * Excludes a change of an object, or of one row of columns, from blending: the changes of this step, or changes outside steps.
 * Ignores objects that have no view. For parts of a simulation's world, use `skipBlend` of `tickwise/state`.
 */
export function teleport(object: object, row?: number): void {
  check("teleport", object, row);
  for (const tracker of trackersOf(object)) tracker.teleport(row);
}

/** The amount to move each field by: a number, or several for a vector. */
export type ShiftBy<T> = { readonly [K in keyof T]?: number | ArrayLike<number> | Partial<Point> };
type Point = { readonly x: number; readonly y: number; readonly z: number };

/**
 * Moves an object, columns, or one row of columns, together with the states that its view is blended from: through a portal,
 * or when the origin of the world moves. The visible motion continues without a jump.
 */
export function shift<T extends object>(object: T, by: ShiftBy<T>, row?: number): void {
  check("shift", object, row);
  const amounts = shiftOf(by);
  const trackers = trackersOf(object);
  let move = () => {
    if (trackers[0]) trackers[0].move(amounts, row);
    else moveObject(object, amounts);
  };
  for (const tracker of trackers) {
    const inner = move;
    move = () => tracker.shift(amounts, row, inner);
  }
  move();
}

function check(call: string, object: unknown, row: unknown): void {
  requireType(`${call}: object`, object, "object", "the object that you passed to smooth");
  if (isInState(object as object) && trackersOf(object as object).length === 0)
    misuse(
      "unsupported",
      call,
      "the object is part of a simulation's world",
      "Call skipBlend(part) of tickwise/state in the step that moves it",
    );
  if (isView(object as object))
    misuse("unsupported", call, "the object is a view", "Pass the object that you passed to smooth");
  if (row !== undefined) requireWhole(`${call}: row`, row, 0, 0);
}

/**
 * Whether an object belongs to a state of `tickwise/state`: a part of a world, or a column or vector in its memory. Checks
 * for marker properties, as this folder does not import that one, and a bundle may hold two copies of it.
 */
function isInState(object: object): boolean {
  return "$node" in object || (ArrayBuffer.isView(object) && "$state" in object.buffer);
}
