import { pathOf } from "./diff.js";
import type { Column } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { isCode, refuseValue } from "./values.js";

/**
 * A column that refuses what is no number, as the fields of a group do: a typed array makes NaN or 0 of a text, and says
 * nothing. It is some hundred times slower.
 */
export function checkedColumn(leaf: Leaf, column: Column): Column {
  return check(leaf, column, 0);
}

/** Checks a column, or the part of one that begins at its number `from`. */
function check(leaf: Leaf, column: Column, from: number): Column {
  const methods = new Map<unknown, unknown>();
  const require = (value: unknown, index: number) => {
    if (!isRight(leaf, value)) refuseValue(`world.${pathOf(leaf, from + index)}`, leaf, value);
  };
  const checked: Column = new Proxy(column, {
    set(target, key, value) {
      const index = typeof key === "string" ? Number(key) : -1;
      if (index >= 0) require(value, index);
      // Not with the proxy as its receiver: that is no typed array.
      return Reflect.set(target, key, value);
    },
    get(target, key) {
      const value: unknown = Reflect.get(target, key);
      if (typeof value !== "function") return value;
      let method = methods.get(key);
      if (!method) {
        method = key === "constructor" ? value : methodOf(key, value as Method);
        methods.set(key, method);
      }
      return method;
    },
  });
  /** A method, whose `this` is the typed array itself. */
  const methodOf =
    (key: string | symbol, method: Method): Method =>
    (...given) => {
      if (key === "fill") require(given[0], Math.max(0, Number(given[1] ?? 0)));
      else if (key === "set") {
        const values = given[0] as ArrayLike<unknown>;
        for (let i = 0; i < values.length; i++) require(values[i], Number(given[1] ?? 0) + i);
      }
      const result = method.apply(column, given);
      if (result === column) return checked;
      if (key !== "subarray") return result;
      const part = result as Column;
      return check(leaf, part, from + (part.byteOffset - column.byteOffset) / column.BYTES_PER_ELEMENT);
    };
  return checked;
}

type Method = (...given: unknown[]) => unknown;

/** A column of booleans takes 1 and 0, too. */
function isRight({ form, names }: Leaf, value: unknown): boolean {
  if (form === "boolean") return typeof value === "boolean" || typeof value === "number";
  return typeof value === "number" && (names === undefined || isCode(names, value));
}
