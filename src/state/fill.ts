import { refuse } from "../time/refuse.js";
import { columnOf, type Home } from "./arrays.js";
import type { Column } from "./fields.js";
import type { Children, Leaf } from "./leaves.js";
import { fits, refuseValue } from "./values.js";

/** Writes what a new row, or a group or a column of it, begins with. */
export interface Filler {
  fill(value: unknown, row: number): void;
}

/** For the rows of a table, or for the group in them that an error calls `what`. */
export function fillerOf(table: string, what: string, children: Children, home: Home): Filler {
  const parts = new Map(
    Object.entries(children).map(([name, child]): [string, Filler] => [
      name,
      child.kind === "leaf"
        ? columnFiller(child.leaf, columnOf(child.leaf, home))
        : fillerOf(table, name, child.children, home),
    ]),
  );
  return {
    fill(values, row) {
      if (typeof values !== "object" || values === null)
        refuse(`world.${table}.add: ${what}`, "an object", values, `{ ${[...parts.keys()].join(", ")} }`);
      for (const name in values) {
        const part = parts.get(name);
        if (!part)
          refuse(
            `world.${table}.add: name in ${what}`,
            `one of ${[...parts.keys()].join(", ")}`,
            name,
            [...parts.keys()][0],
          );
        const value = (values as Record<string, unknown>)[name];
        if (value !== undefined) part.fill(value, row);
      }
    },
  };
}

function columnFiller(leaf: Leaf, column: Column): Filler {
  const { head, tail, width, length, stride } = leaf;
  const subject = () => `world.${head}.add: ${tail.slice(1)}`;
  if (width === 1 && length === undefined)
    return {
      fill(value, row) {
        if (!fits(leaf, value)) refuseValue(subject(), leaf, value);
        column[row] = value as number;
      },
    };
  return {
    fill(value, row) {
      const values = value as ArrayLike<unknown> | null;
      if (typeof values !== "object" || values?.length !== stride)
        refuse(subject(), `${stride} values in a row`, value, `[${Array(Math.min(stride, 4)).fill(0)}]`);
      for (let i = 0; i < stride; i++) {
        const one = values[i];
        if (!fits(leaf, one)) refuseValue(subject(), leaf, one);
        column[row * stride + i] = one as number;
      }
    },
  };
}
