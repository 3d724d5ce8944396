import { badValue, requireType } from "../errors/index.js";
import { passesOf, type FieldPaths, type ObjectPaths, type Passes, type Path } from "./passes.js";
import { COMPONENTS, type Kind } from "./kinds.js";

export type AnyKind = Kind<never, string>;
export type AnyFields = Readonly<Record<string, AnyKind>>;

/** A blended field: its name, its kind, and where its numbers lie in an object. */
interface ShapeField extends FieldPaths {
  readonly name: string;
}

/** Describes objects whose fields have the same forms. */
export interface Shape extends ObjectPaths {
  readonly fields: readonly ShapeField[];
  readonly kinds: AnyFields;
  readonly passes: Passes;
  /** Creates an object to draw. */
  createView(): object;
}

/** Throws unless all fields have a kind. */
export function checkFields(call: string, fields: unknown): asserts fields is AnyFields {
  requireType(`${call}: fields`, fields, "object", "{ x: scalar }");
  for (const [name, kind] of Object.entries(fields as AnyFields))
    if (typeof kind?.blend !== "function")
      badValue(`${call}: fields.${name}`, "a kind of tickwise/blend", kind, "scalar");
}

/** Finds the shapes of objects with these fields. */
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

  /** Returns how a value stores its numbers: by index, or by the names of its components. */
  #form(name: string, kind: AnyKind, value: unknown): Form {
    if (kind.held) return "one";
    const subject = `${this.#call}: ${name}`;
    if (kind.width === 1) {
      requireType(subject, value, "number", "a number, or the kind hold");
      return "one";
    }
    const isList = Array.isArray(value) || ArrayBuffer.isView(value);
    const keys = isList ? INDICES : COMPONENTS;
    for (const key of keys.slice(0, kind.width))
      if (typeof (value as Record<string, unknown> | null)?.[key] !== "number")
        badValue(
          subject,
          `an array of ${kind.width} numbers, or ${componentsOf(kind)}`,
          value,
          "the kind hold",
        );
    return isList ? "list" : "components";
  }
}

type Form = "one" | "list" | "components";
const INDICES = [0, 1, 2, 3];
const componentsOf = (kind: AnyKind) => `{ ${COMPONENTS.slice(0, kind.width).join(", ")} }`;

function createShape(fields: readonly [string, AnyKind][], forms: readonly Form[]): Shape {
  const blended: ShapeField[] = [];
  const held: Path[] = [];
  const teleports: number[] = [];
  let numbers = 0;
  for (const [i, [name, kind]] of fields.entries()) {
    if (kind.teleports) teleports.push(held.length);
    if (kind.held) {
      held.push([name]);
      continue;
    }
    const keys = forms[i] === "list" ? INDICES : COMPONENTS;
    const paths = keys.slice(0, kind.width).map((key): Path => (forms[i] === "one" ? [name] : [name, key]));
    blended.push({ name, kind, from: numbers, paths });
    numbers += kind.width;
  }
  const paths: ObjectPaths & Pick<Shape, "fields"> = { fields: blended, numbers, held, teleports };
  return {
    ...paths,
    kinds: Object.fromEntries(fields),
    passes: passesOf(paths),
    createView: viewMaker(fields, forms),
  };
}

/**
 * Returns a function that creates views. Their numbers start as fractions, so that engines store them as doubles and never box
 * them. Each shape has its own class, as plain objects would share their hidden class with unrelated objects that have an x.
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
