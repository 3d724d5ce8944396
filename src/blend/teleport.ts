import { badValue, requireType, requireWhole } from "../errors/index.js";
import { keepersOf, isView } from "./keepers.js";
import { moveObject, shiftOf } from "./move.js";

/**
 * Excludes a change of an object, or of one row of columns, from blending: what this step does, or what happens now outside
 * of steps. Ignores objects that were never shown. For parts of a simulation's world, use `skipBlend` of `tickwise/state`.
 */
export function teleport(object: object, row?: number): void {
  check("teleport", object, row);
  for (const keeper of keepersOf(object)) keeper.teleport(row);
}

/** By how much to move each field: a number, or several for a vector. */
export type ShiftBy<T> = { readonly [K in keyof T]?: number | ArrayLike<number> | Partial<Point> };
type Point = { readonly x: number; readonly y: number; readonly z: number };

/**
 * Moves an object, or columns or one row of them, together with the states that it is shown from: through a portal,
 * or with the origin of the world. Its motion goes on as if nothing had happened.
 */
export function shift<T extends object>(object: T, by: ShiftBy<T>, row?: number): void {
  check("shift", object, row);
  const amounts = shiftOf(by);
  const keepers = keepersOf(object);
  let move = () => {
    if (keepers[0]) keepers[0].move(amounts, row);
    else moveObject(object, amounts);
  };
  for (const keeper of keepers) {
    const inner = move;
    move = () => keeper.shift(amounts, row, inner);
  }
  move();
}

function check(call: string, object: unknown, row: unknown): void {
  requireType(`${call}: object`, object, "object", "the object that is smoothed");
  if (isInState(object as object) && keepersOf(object as object).length === 0)
    badValue(
      `${call}: object`,
      "one that smooth, smoothAll or smoothColumns shows",
      "a part of a simulation's world",
      "skipBlend(part) of tickwise/state in the step that moves it",
    );
  if (isView(object as object))
    badValue(`${call}: object`, "the one that is smoothed", "its view", `${call}(ship)`);
  if (row !== undefined) requireWhole(`${call}: row`, row, 0, 0);
}

/**
 * Whether an object belongs to a state of `tickwise/state`: a part of a world, or a column or vector in its memory. Checks
 * for marker properties, as this folder does not import that one, and a bundle may hold two copies of it.
 */
function isInState(object: object): boolean {
  return "$node" in object || (ArrayBuffer.isView(object) && "$state" in object.buffer);
}
