/**
 * The state of a simulation in one buffer: declare it once, then save, load, hash, compare and blend it.
 *
 * @packageDocumentation
 */

export { namesOf, oneOf, type Choice, type ChoiceColumn, type ChoiceOf, type ChoiceValue } from "./choice.js";
export type { LayoutFields } from "./describe-layout.js";
export { formatDifferences, type Difference } from "./diff.js";
export {
  bool,
  f32,
  f64,
  Field,
  i16,
  i32,
  i8,
  id,
  quat,
  u16,
  u32,
  u8,
  vec2,
  vec3,
  type Blended,
  type Column,
  type FloatField,
  type Quaternion,
  type Vector,
} from "./fields.js";
export type { NonFinite } from "./finite.js";
export { hashText, type Hash } from "./hash.js";
export { layout, Layout } from "./layout.js";
export {
  list,
  table,
  trail,
  type Fields,
  type ListPart,
  type RowFields,
  type TablePart,
  type TrailFields,
  type TrailPart,
} from "./parts.js";
export type { StateOptions } from "./memory.js";
export type { ConvertField, OldFields } from "./migrate-state.js";
export type { OldValue } from "./migrate-values.js";
export { LIVE, State } from "./state.js";
export { skipBlend } from "./skip-blend.js";
export { syncRows, type RowHandlers, type RowSource, type RowSync } from "./sync-rows.js";
export type { ReadonlyColumn, ReadonlyRow, ReadonlyTable, ReadonlyWorld } from "./readonly.js";
export type { IdColumn, RowId } from "./row-id.js";
export type {
  ReadonlyTrail,
  ReadonlyTrailColumn,
  Trail,
  TrailColumn,
  TrailTarget,
  TrailValues,
} from "./trail-types.js";
export type { Columns, Row, RowValues, Table, World } from "./world.js";
export type { NumberJson, WorldJson } from "./world-json.js";
