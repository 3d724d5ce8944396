import { requireType } from "../errors/index.js";
import { addKeeper } from "./keepers.js";
import type { Kind } from "./kinds.js";
import { checkCall, listen } from "./listen.js";
import { checkFields } from "./shape.js";
import { Strips, type Columns } from "./strips.js";
import type { Known, SmoothLoop, SmoothOptions } from "./types.js";

/** How columns are blended; those of whole numbers can only be held. */
export type ColumnFields<T> = {
  readonly [K in keyof T]?: T[K] extends Float64Array | Float32Array ? Kind<never, string> : Kind<unknown>;
};

/** Options of `smoothColumns`. */
export interface ColumnOptions extends SmoothOptions {
  /** How many rows are in use, from the first on; all, if it is not given. */
  readonly count?: (() => number) | undefined;
}

/** Returns columns to draw from: the same as `smooth`, for typed arrays with a value for each row. */
export function smoothColumns<T extends object, const F extends ColumnFields<T>>(
  loop: SmoothLoop,
  columns: T,
  fields: Known<T, F>,
  options: ColumnOptions = {},
): { readonly [K in keyof F & keyof T]: T[K] } {
  const call = "smoothColumns";
  checkCall(call, loop, options);
  requireType(`${call}: columns`, columns, "object", "{ x: new Float64Array(100) }");
  checkFields(call, fields);
  if (options.count !== undefined) requireType(`${call}: count`, options.count, "function", "() => alive");
  const strips = new Strips(columns as Columns, fields, options.count);
  strips.draw({ t: 1 });
  addKeeper(columns, strips);
  listen(loop, options, strips.view, strips);
  return strips.view as { [K in keyof F & keyof T]: T[K] };
}
