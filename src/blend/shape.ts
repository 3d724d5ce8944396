import { badValue, requireType } from "../errors/index.js";
import { accessors, type Accessors, type Path } from "./accessors.js";
import { COMPONENTS, type Kind } from "./kinds.js";

export type AnyKind = Kind<never, string>;
export type AnyFields = Readonly<Record<string, AnyKind>>;

/** A blended field, and which of an object's numbers are its. */
interface FieldPlace {
  readonly name: string;
  readonly kind: AnyKind;
  readonly from: number;
  readonly to: number;
}

/** Objects whose fields are of the same forms. */
export interface Shape extends Accessors {
  readonly kinds: AnyFields;
  readonly places: readonly FieldPlace[];
  /** How many numbers and held values it has, and which of these cut. */
  readonly numbers: number;
  readonly held: number;
  readonly cuts: readonly number[];
  /** Room for one object's numbers. */
  readonly scratch: Float64Array;
  /** An object to be drawn from. */
  createView(): object;
}

/** Fields with their kinds, or an error. */
export function checkFields(call: string, fields: unknown): asserts fields is AnyFields {
  requireType(`${call}: fields`, fields, "object", "{ x: number }");
  for (const [name, kind] of Object.entries(fields as AnyFields))
    if (typeof kind?.blend !== "function")
      badValue(`${call}: fields.${name}`, "a kind of tickwise/blend", kind, "number");
}

/** Finds shapes for objects with these fields. */
export class Shapes {
  readonly #call: string;
  readonly #fields: [string, AnyKind][];
  readonly #known = new Map<string, Shape>();

  constructor(call: string, fields: unknown) {
    checkFields(call, fields);
    this.#call = call;
    this.#fields = Object.entries(fields);
  }

  of(object: object): Shape {
    const forms = this.#fields.map(([name, kind]) => this.#form(name, kind, object[name as never]));
    const id = forms.join(" ");
    const shape = this.#known.get(id) ?? createShape(this.#fields, forms);
    this.#known.set(id, shape);
    return shape;
  }

  /** How a value of many numbers has them: by index, or by the names of its components. */
  #form(name: string, kind: AnyKind, value: unknown): Form {
    if (kind.held) return "one";
    const subject = `${this.#call}: ${name}`;
    if (kind.width === 1) {
      requireType(subject, value, "number", "a field of numbers, or hold");
      return "one";
    }
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    const keys = isList ? INDICES : COMPONENTS;
    for (const key of keys.slice(0, kind.width))
      if (typeof (value as Record<string, unknown> | null)?.[key] !== "number")
        badValue(subject, `a ${kind.name}: ${kind.width} numbers, or ${shortest(kind)}`, value, "hold");
    return isList ? "list" : "components";
  }
}

type Form = "one" | "list" | "components";
const INDICES = [0, 1, 2, 3];
const shortest = (kind: AnyKind) => `{ ${COMPONENTS.slice(0, kind.width).join(", ")} }`;

function createShape(fields: readonly [string, AnyKind][], forms: readonly Form[]): Shape {
  const numbers: Path[] = [];
  const held: Path[] = [];
  const cuts: number[] = [];
  const places: FieldPlace[] = [];
  for (const [i, [name, kind]] of fields.entries()) {
    if (kind.cuts) cuts.push(held.length);
    if (kind.held) {
      held.push([name]);
      continue;
    }
    const keys = forms[i] === "list" ? INDICES : COMPONENTS;
    const paths = keys.slice(0, kind.width).map((key): Path => (forms[i] === "one" ? [name] : [name, key]));
    places.push({ name, kind, from: numbers.length, to: numbers.length + kind.width });
    numbers.push(...paths);
  }
  return {
    ...accessors(numbers, held),
    kinds: Object.fromEntries(fields),
    places,
    numbers: numbers.length,
    held: held.length,
    cuts,
    scratch: new Float64Array(numbers.length),
    createView: viewMaker(fields, forms),
  };
}

/**
 * Fractions at first, so that engines hold the view's numbers as doubles and never allocate for them. Classes of
 * their own, as plain objects would share what the engine knows with all others that have an x.
 */
function viewMaker(fields: readonly [string, AnyKind][], forms: readonly Form[]): () => object {
  class View {}
  const makers = fields.map(([, { width }], i): (() => unknown) => {
    if (forms[i] === "one") return () => 0.5;
    if (forms[i] === "list") return () => [0.5, 0.5, 0.5, 0.5].slice(0, width);
    class Vector {}
    return () =>
      COMPONENTS.slice(0, width).reduce((made, key) => Object.assign(made, { [key]: 0.5 }), new Vector());
  });
  return () => {
    const view: Record<string, unknown> = new View() as Record<string, unknown>;
    for (const [i, [name]] of fields.entries()) view[name] = makers[i]!();
    return view;
  };
}
