import { badValue, unknownName } from "../errors/index.js";
import { Layout, type Column, type Field } from "../state/index.js";

/** The effects that a step can emit, each with its fields. */
export interface EffectFields {
  readonly [name: string]: { readonly [field: string]: Field<number | boolean, Column> };
}

type ValuesOf<F> = { readonly [K in keyof F]: F[K] extends Field<infer V, Column> ? V : never };

/**
 * Something to hear or see that leaves no trace in the state. `tick` is the step that emitted it. `age` is how long ago that
 * was in the picture when it was delivered, in simulated seconds: start an animation or a particle at this age. Usually less
 * than a step; more if a long frame ran several steps, or if the effect had to wait until it was confirmed.
 */
export type Effect<E extends EffectFields> = {
  [K in keyof E & string]: { readonly name: K; readonly tick: number; readonly age: number } & ValuesOf<E[K]>;
}[keyof E & string];

/** Emits an effect: `emit("thud", { x, y, force })`; or `emit("click")` if it has no fields. */
export type Emit<E extends EffectFields> = <K extends keyof E & string>(
  name: K,
  ...values: {} extends E[K] ? [values?: ValuesOf<E[K]>] : [values: ValuesOf<E[K]>]
) => void;

/** Any effect, where its fields do not matter. */
export interface AnyEffect {
  readonly name: string;
  readonly tick: number;
  /** Set when it is delivered. */
  readonly age?: number;
  readonly [field: string]: unknown;
}

/** Checks the declared effects, and creates the effects that steps emit. */
export class EffectSpec {
  readonly #fields: ReadonlyMap<string, readonly string[]>;

  constructor(effects: EffectFields) {
    this.#fields = new Map(
      Object.entries(effects).map(([name, fields]) => [name, fieldsOf(name, fields)] as const),
    );
  }

  /** The names of all effects, in the order of their declaration. */
  get names(): readonly string[] {
    return [...this.#fields.keys()];
  }

  /** The fields of an effect, in the order of their declaration. */
  fieldsOf(name: string): readonly string[] {
    return this.#fields.get(name) ?? [];
  }

  /** Creates an effect. Copies the values, as the step may reuse their object. */
  make(name: string, values: Readonly<Record<string, unknown>> = {}, tick: number): AnyEffect {
    const fields = this.#fields.get(name);
    if (!fields) unknownName("emit", "effect", name, [...this.#fields.keys()]);
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
    for (const field of Object.keys(values ?? {}))
      if (!fields.includes(field)) unknownName("emit", `field of effect "${name}":`, field, fields);
    return effect;
  }
}

function fieldsOf(name: string, fields: EffectFields[string]): string[] {
  if (typeof fields !== "object" || fields === null)
    badValue(`simulation: effects.${name}`, "an object of fields", fields, "{ x: f64 }");
  for (const field of Object.keys(fields))
    if (["name", "tick", "age"].includes(field))
      badValue(`simulation: a field of effects.${name}`, 'none of "name", "tick" and "age"', field, '"at"');
  const children = Object.keys(fields).length > 0 ? new Layout(fields).root.children : {};
  for (const [field, node] of Object.entries(children))
    if (node.kind !== "leaf" || node.leaf.width !== 1 || node.leaf.length !== undefined)
      badValue(`simulation: effects.${name}.${field}`, "a field of a single number", fields[field], "f64");
  return Object.keys(fields);
}
