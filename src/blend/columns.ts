import { requireFunction, requireType } from "../errors/index.js";
import { addTracker } from "./trackers.js";
import type { Kind } from "./kinds.js";
import { checkCall, listen } from "./listen.js";
import { checkFields } from "./shape.js";
import { ColumnTracks, type Columns } from "./column-tracks.js";
import type { KnownColumns, SmoothLoop, SmoothOptions } from "./types.js";

/** How columns are blended. Columns of integers can only be held. */
export type ColumnFields<T> = {
  readonly [K in keyof T]?: T[K] extends Float64Array | Float32Array ? Kind<never, string> : Kind<unknown>;
};

/** Options of `smoothColumns`. */
export interface ColumnOptions extends SmoothOptions {
  /** Returns how many rows are in use, from row 0. Default: all rows. */
  readonly count?: (() => number) | undefined;
}

const MORE_OPTIONS = Object.keys({ count: 1 } satisfies Record<
  Exclude<keyof ColumnOptions, keyof SmoothOptions>,
  1
>);

/** Returns columns to draw, blended between two steps: the same as `smooth`, for typed arrays with one value per row. */
export function smoothColumns<T extends object, const F extends ColumnFields<T>>(
  loop: SmoothLoop,
  columns: T,
  fields: KnownColumns<T, F>,
  options: ColumnOptions = {},
): { readonly [K in keyof F & keyof T]: T[K] } {
  const call = "smoothColumns";
  checkCall(call, loop, options, MORE_OPTIONS);
  requireType(`${call}: columns`, columns, "object", "{ x: new Float64Array(100) }");
  checkFields(call, fields);
  if (options.count !== undefined) requireFunction(`${call}: count`, options.count, "() => alive");
  const tracks = new ColumnTracks(columns as Columns, fields, options.count, options.ahead);
  tracks.draw({ alpha: 1 });
  addTracker(columns, tracks);
  listen(loop, tracks.view, tracks);
  return tracks.view as { [K in keyof F & keyof T]: T[K] };
}
