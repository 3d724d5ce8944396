// In a worker: what a stability test measures after each step.
import { nearest } from "../errors/index.js";
import type { StepContext } from "../sim/index.js";
import { fieldsOfLayout } from "../state/describe-layout.js";
import type { Layout, State } from "../state/index.js";
import type { Leaf } from "../state/leaves.js";
import { CliError } from "./cli-error.js";
import { thrownText } from "./text.js";

/** The extremes of a number in a run so far. */
export interface Extremes {
  readonly name: string;
  min: number;
  max: number;
}

/** Measures numbers of a running simulation. */
export interface Measure {
  /** What it measures, for a person. */
  readonly title: string;
  readonly names: readonly string[];
  /** Adds the numbers of the current state to the extremes, which are in order of `names`. */
  add(state: State, context: StepContext, extremes: readonly Extremes[]): void;
}

export type Energy = (world: unknown, context: StepContext) => unknown;

/** Measures what the module's own function returns. */
export function energyMeasure(name: string, energy: Energy): Measure {
  return {
    title: name,
    names: [name],
    add({ world }, context, [extremes]) {
      const value = energy(world, context);
      if (typeof value !== "number")
        throw new CliError(`the export ${name} must return a number, got ${thrownText(value)}.`);
      widen(extremes!, value);
    },
  };
}

/** Measures fields of the state: one of them, or those of a part such as a table; without a name, all that hold fractions. */
export function fieldMeasure(layout: Layout, field: string | undefined): Measure {
  const names = fieldsOfLayout(layout).map(([name]) => name);
  const declared = new Set(names);
  // Without the tick and the random generator.
  const all = layout.leaves.filter((leaf) => !leaf.hidden && declared.has(nameOf(leaf)));
  const chosen = all.filter((leaf) => {
    const name = nameOf(leaf);
    if (field === undefined) return isFloat(leaf);
    return name === field || (name.startsWith(`${field}.`) && isFloat(leaf));
  });
  if (chosen.length === 0) throw new CliError(problemOf(field, names));
  return {
    title: field ?? "any field",
    names: chosen.map(nameOf),
    add({ arrays }, _, extremes) {
      for (let i = 0; i < chosen.length; i++) addLeaf(chosen[i]!, arrays, extremes[i]!);
    },
  };
}

const isFloat = ({ type }: Leaf) => type === "f64" || type === "f32";
const nameOf = ({ head, tail }: Leaf) => head + tail;

function problemOf(field: string | undefined, names: readonly string[]): string {
  if (field === undefined)
    return "no field of the state holds fractions (f64 or f32). Name a field of whole numbers with --field, or export a function energy(world).";
  const meant = nearest(field.replace(/\[\d*\]/g, ""), names);
  return `--field ${field}: the state has no such field. ${meant === undefined ? `Fields: ${names.join(", ")}.` : `Did you mean ${meant}?`}`;
}

/** Adds all numbers of a field in the rows that exist. */
function addLeaf(leaf: Leaf, arrays: State["arrays"], extremes: Extremes): void {
  const { type, offset, stride, rows, owner } = leaf;
  const array = arrays[type];
  const from = offset / array.BYTES_PER_ELEMENT;
  const ids = owner.ids && owner.ids.offset / 8;
  for (let row = 0; row < rows; row++) {
    if (ids !== undefined && !(arrays.f64[ids + row]! > 0)) continue;
    for (let i = row * stride; i < (row + 1) * stride; i++) widen(extremes, array[from + i]!);
  }
}

/** NaN makes both extremes NaN. */
function widen(extremes: Extremes, value: number): void {
  if (!(value >= extremes.min)) extremes.min = value;
  if (!(value <= extremes.max)) extremes.max = value;
}
