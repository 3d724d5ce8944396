import { refuse, requireType, requireWhole } from "../time/refuse.js";
import { keepersOf, isView } from "./keepers.js";
import { moveObject, shiftOf } from "./move.js";

/**
 * Says that an object, or one row of columns, is not to be blended across what happens now: in a step, across this
 * one. What was never shown needs no word.
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
  if (isView(object as object))
    refuse(`${call}: object`, "the one that is smoothed", "its view", `${call}(ship)`);
  if (row !== undefined) requireWhole(`${call}: row`, row, 0, 0);
}
