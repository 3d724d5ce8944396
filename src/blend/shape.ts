import { badValue, requireType } from "../errors/index.js";
import { passesOf, type FieldPaths, type ObjectPaths, type Passes, type Path } from "./passes.js";
import { COMPONENTS, type AnyFields, type AnyKind } from "./kinds.js";
import { motionOf, type Extrapolation } from "./motion.js";
import type { TrackedField } from "./trackers.js";

/** A blended field: its name, its kind, and where its numbers lie in an object. */
export interface ShapeField extends FieldPaths, TrackedField {}

/** Describes objects whose fields have the same forms. */
export interface Shape extends ObjectPaths {
  readonly fields: readonly ShapeField[];
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
  readonly kinds: AnyFields;
  readonly #call: string;
  readonly #fields: [string, AnyKind][];
  readonly #known = new Map<string, Shape>();

  constructor(
    call: string,
    fields: unknown,
    readonly ahead: Extrapolation | undefined,
  ) {
    checkFields(call, fields);
    this.#call = call;
    this.kinds = fields;
    this.#fields = Object.entries(fields);
  }

  of(object: object): Shape {
    const values = object as Readonly<Record<string, unknown>>;
    const forms = this.#fields.map(([name, kind]) => this.#form(name, kind, values[name]));
    const velocities = this.#fields.map(([name, kind]) => {
      const { velocity } = kind;
      if (velocity === undefined) return "none";
      return this.#form(`velocity ${velocity} of ${name}`, kind, values[velocity]);
    });
    const id = [...forms, ...velocities].join(" ");
    const shape = this.#known.get(id) ?? createShape(this.#fields, forms, velocities, this.ahead);
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

type Form = "none" | "one" | "list" | "components";
const INDICES = [0, 1, 2, 3];
const componentsOf = (kind: AnyKind) => `{ ${COMPONENTS.slice(0, kind.width).join(", ")} }`;

/** Returns the paths of the numbers of a value. */
function pathsOf(name: string, form: Form, { width }: AnyKind): Path[] {
  if (form === "none") return [];
  const keys = form === "list" ? INDICES : COMPONENTS;
  return keys.slice(0, width).map((key): Path => (form === "one" ? [name] : [name, key]));
}

function createShape(
  fields: readonly [string, AnyKind][],
  forms: readonly Form[],
  velocities: readonly Form[],
  ahead: Extrapolation | undefined,
): Shape {
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
    const paths = pathsOf(name, forms[i]!, kind);
    const velocity = pathsOf(kind.velocity ?? "", velocities[i]!, kind);
    const motion = motionOf(kind, ahead);
    const { width } = kind;
    blended.push({
      name,
      kind,
      from: numbers,
      paths,
      velocity,
      motion,
      extra: numbers + width,
      stride: width,
    });
    numbers += width * (1 + (motion?.slots ?? 0));
  }
  const steps = ahead?.steps ?? 0;
  const paths: ObjectPaths & Pick<Shape, "fields"> = {
    fields: blended,
    numbers,
    held,
    teleports,
    ahead: steps,
  };
  return {
    ...paths,
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
