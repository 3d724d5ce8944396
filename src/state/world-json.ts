// The type of `toJSON`: plain objects, made from a state's fields.
import type { Column, Field } from "./fields.js";
import type { ListPart, TablePart } from "./parts.js";

/** A number, or the text for one that JSON lacks. */
export type NumberJson = number | "NaN" | "Infinity" | "-Infinity" | "-0";

/** Integers are always numbers; only floats may be text. */
type FloatOf<C> = C extends Float64Array | Float32Array ? NumberJson : number;

/** The names of a choice, which are its own properties; `never` for any other field of 8 bits. */
type NamesOf<P, C> = C extends Uint8Array ? Exclude<keyof P, keyof Field<number, Uint8Array>> : never;

type ValueJson<P, V, C> = V extends Column
  ? FloatOf<V>[]
  : V extends number
    ? [NamesOf<P, C>] extends [never]
      ? FloatOf<C>
      : NamesOf<P, C>
    : V;

type PartJson<P> =
  P extends Field<infer V, infer C>
    ? ValueJson<P, V, C>
    : P extends TablePart<infer R>
      ? ({ id: number } & GroupJson<R>)[]
      : P extends ListPart<infer E>
        ? PartJson<E>[]
        : GroupJson<P>;

type GroupJson<S> = { [K in keyof S]: PartJson<S[K]> };

/**
 * A world as plain objects: `state.toJSON()`. Tables are lists of the live rows, with their ids. If the world has a field
 * `tick`, the state's own tick is `$tick`.
 */
export type WorldJson<S> = { tick: number; $tick?: number } & GroupJson<S>;
