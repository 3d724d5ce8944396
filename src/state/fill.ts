import { badValue } from "../errors/index.js";
import type { Column } from "./fields.js";
import type { Children, Leaf } from "./leaves.js";
import { fits, badFieldValue } from "./values.js";

/** Writes the first values of a new row, or of a group or a column in it. */
export interface Filler {
  fill(value: unknown): void;
}

/** A filler for a row of a table, or for a group in it, which errors call `what`. `numbersOf` returns the row's part of a column. */
export function fillerOf(
  table: string,
  what: string,
  children: Children,
  numbersOf: (leaf: Leaf) => Column,
): Filler {
  const parts = new Map(
    Object.entries(children).map(([name, child]): [string, Filler] => [
      name,
      child.kind === "leaf"
        ? columnFiller(child.leaf, numbersOf(child.leaf))
        : fillerOf(table, name, child.children, numbersOf),
    ]),
  );
  return {
    fill(values) {
      if (typeof values !== "object" || values === null)
        badValue(`world.${table}.add: ${what}`, "an object", values, `{ ${[...parts.keys()].join(", ")} }`);
      for (const name in values) {
        const part = parts.get(name);
        if (!part)
          badValue(
            `world.${table}.add: name in ${what}`,
            `one of ${[...parts.keys()].join(", ")}`,
            name,
            [...parts.keys()][0],
          );
        const value = (values as Record<string, unknown>)[name];
        if (value !== undefined) part.fill(value);
      }
    },
  };
}

function columnFiller(leaf: Leaf, numbers: Column): Filler {
  const { head, tail, width, length, stride } = leaf;
  const subject = () => `world.${head}.add: ${tail.slice(1)}`;
  if (width === 1 && length === undefined)
    return {
      fill(value) {
        if (!fits(leaf, value)) badFieldValue(subject(), leaf, value);
        numbers[0] = value as number;
      },
    };
  return {
    fill(value) {
      const values = value as ArrayLike<unknown> | null;
      if (typeof values !== "object" || values?.length !== stride)
        badValue(subject(), `${stride} values in a row`, value, `[${Array(Math.min(stride, 4)).fill(0)}]`);
      for (let i = 0; i < stride; i++) {
        const one = values[i];
        if (!fits(leaf, one)) badFieldValue(subject(), leaf, one);
        numbers[i] = one as number;
      }
    },
  };
}
