import { badValue, nearest } from "../errors/index.js";
import { Layout, type Column, type Field } from "../state/index.js";

/** Effects that a step may have, each with its fields. */
export interface EffectFields {
  readonly [name: string]: { readonly [field: string]: Field<number | boolean, Column> };
}

type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer V, Column> ? V : never };

/** Something to be heard or seen, that leaves no trace in the state. `tick` is the step that emitted it. */
export type Effect<E extends EffectFields> = {
  [K in keyof E & string]: { readonly name: K; readonly tick: number } & ValuesOf<E[K]>;
}[keyof E & string];

/** Tells of an effect: `emit("thud", { x, y, force })`; `emit("click")` if it has no fields. */
export type Emit<E extends EffectFields> = <K extends keyof E & string>(
  name: K,
  ...values: {} extends E[K] ? [values?: ValuesOf<E[K]>] : [values: ValuesOf<E[K]>]
) => void;

/** Any effect, where its fields do not matter. */
export interface AnyEffect {
  readonly name: string;
  readonly tick: number;
  readonly [field: string]: unknown;
}

/** Declared effects, checked; makes what is emitted. */
export class EffectSpec {
  readonly #fields: ReadonlyMap<string, readonly string[]>;

  constructor(effects: EffectFields) {
    this.#fields = new Map(
      Object.entries(effects).map(([name, fields]) => [name, fieldsOf(name, fields)] as const),
    );
  }

  /** An effect of its own: the step may use its object again. */
  make(name: string, values: Readonly<Record<string, unknown>> = {}, tick: number): AnyEffect {
    const fields = this.#fields.get(name);
    if (!fields) {
      const names = [...this.#fields.keys()];
      badValue(
        "emit: name",
        `one of ${names.join(", ") || "those declared in effects"}`,
        name,
        likely(name, names) ?? "effects: { thud: { x: f64 } }",
      );
    }
    const effect: Record<string, unknown> & AnyEffect = { name, tick };
    for (const field of fields) {
      const value = values?.[field];
      if (typeof value !== "number" && typeof value !== "boolean")
        badValue(
          `emit: ${name}.${field}`,
          "a number or a boolean",
          value,
          `emit("${name}", { ${fields.join(", ")} })`,
        );
      (effect as Record<string, unknown>)[field] = value;
    }
    for (const field of Object.keys(values))
      if (!fields.includes(field))
        badValue(
          `emit: ${name}.${field}`,
          `one of ${fields.join(", ")}`,
          field,
          likely(field, fields) ?? "a declared field",
        );
    return effect;
  }
}

/** The name that was probably meant, in quotation marks. */
const likely = (name: unknown, names: readonly string[]): string | undefined => {
  const found = typeof name === "string" ? nearest(name, names) : undefined;
  return found && JSON.stringify(found);
};

function fieldsOf(name: string, fields: EffectFields[string]): string[] {
  if (typeof fields !== "object" || fields === null)
    badValue(`simulation: effects.${name}`, "fields by name", fields, "{ x: f64 }");
  for (const field of Object.keys(fields))
    if (field === "name" || field === "tick")
      badValue(`simulation: effects.${name}`, "fields by other names than name and tick", field, "at");
  const children = Object.keys(fields).length > 0 ? new Layout(fields).root.children : {};
  for (const [field, node] of Object.entries(children))
    if (node.kind !== "leaf" || node.leaf.width !== 1 || node.leaf.length !== undefined)
      badValue(`simulation: effects.${name}.${field}`, "a number's field", "a vector's or a group's", "f64");
  return Object.keys(fields);
}
