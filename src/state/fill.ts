import { badValue, unknownName } from "../errors/index.js";
import { ARRAYS, type Column } from "./fields.js";
import type { Children, Leaf, TrailLeaves } from "./leaves.js";
import { RowTrail } from "./trail.js";
import { fits, badFieldValue } from "./values.js";

/** Writes the initial values of a new row, or of a group or column in it. */
export interface Filler {
  fill(value: unknown): void;
}

/** Returns a filler for a row of a table, or for the group `part` in it. `numbersOf` returns the row's numbers of a column. */
export function fillerOf(
  table: string,
  part: string,
  children: Children,
  numbersOf: (leaf: Leaf) => Column,
): Filler {
  const parts = new Map(
    Object.entries(children).map(([name, child]): [string, Filler] => [
      name,
      child.kind === "leaf"
        ? columnFiller(child.leaf, numbersOf(child.leaf))
        : child.kind === "group" && child.trail
          ? trailFiller(`${table}.add: ${name}`, child.trail, numbersOf)
          : fillerOf(table, name, child.children, numbersOf),
    ]),
  );
  return {
    fill(values) {
      if (typeof values !== "object" || values === null)
        badValue(`${table}.add: ${part}`, "an object", values, `{ ${[...parts.keys()].join(", ")} }`);
      for (const name in values) {
        const filler = parts.get(name);
        if (!filler) unknownName(`${table}.add`, "field", name, [...parts.keys()]);
        const value = (values as Record<string, unknown>)[name];
        if (value !== undefined) filler.fill(value);
      }
    },
  };
}

function columnFiller(leaf: Leaf, numbers: Column): Filler {
  const { head, tail, width, length, stride } = leaf;
  const subject = () => `${head}.add: ${tail.slice(1)}`;
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
        badValue(subject(), `an array of ${stride} values`, value, `[${Array(Math.min(stride, 4)).fill(0)}]`);
      for (let i = 0; i < stride; i++) {
        const one = values[i];
        if (!fits(leaf, one)) badFieldValue(subject(), leaf, one);
        numbers[i] = one as number;
      }
    },
  };
}

/** Copies the trail of another row, so that `add({ ...row })` copies a row. */
function trailFiller(subject: string, trail: TrailLeaves, numbersOf: (leaf: Leaf) => Column): Filler {
  const targets = [...trail.columns.map(({ leaf }) => leaf), trail.position].map((leaf) => ({
    leaf,
    numbers: numbersOf(leaf),
  }));
  return {
    fill(value) {
      if (!(value instanceof RowTrail) || value.$shape.leaves !== trail)
        badValue(subject, "omitted, or the trail of a row of this table", value, "row.past");
      const { memory } = value.$pointer;
      const row = value.$row();
      for (const { leaf, numbers } of targets) {
        const from = leaf.offset / ARRAYS[leaf.type].BYTES_PER_ELEMENT + row * leaf.stride;
        for (let i = 0; i < leaf.stride; i++) numbers[i] = memory[leaf.type][from + i]!;
      }
    },
  };
}
