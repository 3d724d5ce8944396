import { badValue, misuse, unknownName } from "../errors/index.js";
import type { Placement, Shift } from "./trackers.js";
import { canShift, COMPONENTS } from "./kinds.js";
import type { AnyFields } from "./shape.js";

/** Returns the amounts to move each field by, or throws. */
export function shiftOf(by: unknown): Shift {
  if (typeof by !== "object" || by === null) badValue("shift: by", "an object", by, "{ x: 100 }");
  return new Map(Object.entries(by as object).map(([name, amount]) => [name, amountsOf(name, amount)]));
}

function amountsOf(name: string, amount: unknown): readonly number[] {
  let amounts: readonly unknown[] = [amount];
  if (Array.isArray(amount)) amounts = amount;
  else if (typeof amount === "object" && amount !== null)
    amounts = ArrayBuffer.isView(amount)
      ? Array.from(amount as Float64Array)
      : COMPONENTS.map((key) => (amount as Record<string, unknown>)[key] ?? 0);
  if (!amounts.every(Number.isFinite))
    badValue(`shift: by.${name}`, "one or more finite numbers", amount, 100);
  return amounts as readonly number[];
}

/** Throws for fields that cannot be shifted: held values and rotations. */
export function checkShift(by: Shift, kinds: AnyFields): void {
  for (const name of by.keys())
    if (kinds[name] && !canShift(kinds[name]))
      misuse(
        "unsupported",
        "shift",
        `${name} is a ${kinds[name].name} field, which cannot be shifted`,
        "Call teleport(object) instead",
      );
}

/** Throws for fields whose contact cannot be shown: held values, rotations and fields that are not smoothed. */
export function checkContact(at: Placement, kinds: AnyFields): void {
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

/** Adds to the fields of an object. Throws before it changes any of them if one is not a number or a vector. */
export function moveObject(object: object, by: Shift): void {
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
      if (typeof value !== "object" || value === null) add(object, name, amount, `shift: by.${name}`);
      else if (amount) add(value, isList ? i : COMPONENTS[i]!, amount, `shift: by.${name}`);
  }
  for (const move of moves) move();
}
