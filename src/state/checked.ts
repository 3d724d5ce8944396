import { pathOf } from "./diff.js";
import type { Column } from "./fields.js";
import type { Leaf } from "./leaves.js";
import { isCode, badFieldValue } from "./values.js";

/**
 * Wraps a column in a proxy that throws on values that are not numbers, as the fields of a group do. A typed array would
 * silently turn strings into NaN or 0. About a hundred times slower. If `column` is part of a column, it begins at index `from`.
 */
export function checkedColumn(leaf: Leaf, column: Column, from = 0): Column {
  const methods = new Map<unknown, unknown>();
  const check = (value: unknown, index: number) => {
    if (!isValid(leaf, value)) badFieldValue(`world.${pathOf(leaf, from + index)}`, leaf, value);
  };
  const checked: Column = new Proxy(column, {
    set(target, key, value) {
      const index = typeof key === "string" ? Number(key) : -1;
      if (index >= 0) check(value, index);
      // Not with the proxy as the receiver: it is not a typed array.
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
  /** Returns the method, which checks the values it writes and runs on the typed array itself. */
  const methodOf =
    (key: string | symbol, method: Method): Method =>
    (...given) => {
      if (key === "fill") check(given[0], Math.max(0, Number(given[1] ?? 0)));
      else if (key === "set") {
        const values = given[0] as ArrayLike<unknown>;
        for (let i = 0; i < values.length; i++) check(values[i], Number(given[1] ?? 0) + i);
      }
      const result = method.apply(column, given);
      if (result === column) return checked;
      if (key !== "subarray") return result;
      const part = result as Column;
      return checkedColumn(
        leaf,
        part,
        from + (part.byteOffset - column.byteOffset) / column.BYTES_PER_ELEMENT,
      );
    };
  return checked;
}

type Method = (...given: unknown[]) => unknown;

/** Columns of booleans also accept 1 and 0. */
function isValid({ form, names }: Leaf, value: unknown): boolean {
  if (form === "boolean") return typeof value === "boolean" || typeof value === "number";
  return typeof value === "number" && (names === undefined || isCode(names, value));
}
