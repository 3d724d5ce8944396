// The type of `toJSON`: plain objects, derived from a state's fields.
import type { ChoiceValue } from "./choice.js";
import type { Column, Field } from "./fields.js";
import type { ListPart, TablePart, TrailPart } from "./parts.js";

/** A number, or a string for one that JSON lacks. */
export type NumberJson = number | "NaN" | "Infinity" | "-Infinity" | "-0";

/** Integers are always numbers; only floats can be strings. */
type FloatOf<C> = C extends Float64Array | Float32Array ? NumberJson : number;

type ValueJson<V, C> = V extends Column
  ? FloatOf<V>[]
  : V extends ChoiceValue<infer N>
    ? N[number]
    : V extends number
      ? FloatOf<C>
      : V;

type PartJson<P> =
  P extends Field<infer V, infer C>
    ? ValueJson<V, C>
    : P extends TablePart<infer R>
      ? ({ id: number } & GroupJson<R>)[]
      : P extends ListPart<infer E>
        ? PartJson<E>[]
        : P extends TrailPart<infer F>
          ? GroupJson<F>[]
          : GroupJson<P>;

type GroupJson<S> = { [K in keyof S]: PartJson<S[K]> };

/**
 * A world as plain objects: `state.toJSON()`. Tables are arrays of the live rows, with their ids, and
 * trails are arrays of their values, the newest first. If the world has a field
 * `tick`, the state's own tick is `$tick`.
 */
export type WorldJson<S> = { tick: number; $tick?: number } & GroupJson<S>;
