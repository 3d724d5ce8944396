import type { BlendFactor, StepLength } from "./batch.js";
import { compiled } from "./compiled-passes.js";
import { interpreted } from "./interpreted-passes.js";
import type { AnyKind } from "./kinds.js";
import type { Motion, MotionStates } from "./motion.js";

/** The path of a number or a held value in an object: a field, or a key of a field. */
export type Path = readonly [name: string] | readonly [name: string, key: string | number];

/** A blended field: its kind, and the paths of its numbers. They lie at `from` among the numbers of the object. */
export interface FieldPaths {
  readonly kind: AnyKind;
  readonly from: number;
  readonly paths: readonly Path[];
  /** What is remembered about earlier steps, if anything. Its extra numbers lie at `extra`. */
  readonly motion: Motion | undefined;
  readonly extra: number;
  /** The paths of its velocity, if a curve has one. */
  readonly velocity: readonly Path[];
}

/** What an object holds that is shown. */
export interface ObjectPaths {
  readonly fields: readonly FieldPaths[];
  /** Count of the numbers of all fields. */
  readonly numbers: number;
  /** Values that are not blended. */
  readonly held: readonly Path[];
  /** Indices of the held values whose change is a teleport. */
  readonly teleports: readonly number[];
  /** How many steps the picture is ahead of the blend. */
  readonly ahead: number;
}

/** The states of many objects, one after the other. */
export interface States extends MotionStates {
  readonly objects: object[];
  readonly views: object[];
  readonly previous: Float64Array;
  readonly current: Float64Array;
  readonly shown: Float64Array;
  readonly heldPrevious: unknown[];
  readonly heldCurrent: unknown[];
}

/** Consecutive objects of one shape, from `first` to before `end`, and where their numbers and held values begin. */
export interface Range {
  readonly first: number;
  readonly end: number;
  readonly numbers: number;
  readonly held: number;
}

/** What happens to all objects of one shape when a step begins, when it ends, and when a frame is drawn. */
export interface Passes {
  /** Reads the previous states. */
  enter(states: States, range: Range, step: StepLength): void;
  /** Reads the current states. An object that the step teleported loses its previous state. */
  leave(states: States, range: Range, step: StepLength): void;
  /** Fills the views with a blend. Numbers that were written after the step are shown as they are. */
  draw(states: States, range: Range, factor: BlendFactor): void;
}

/**
 * Returns the passes over objects of one shape. They are compiled, as a loop over names is many times slower and creates
 * garbage: in such a loop, engines box each fraction. Falls back to the loop if the page's content security policy forbids
 * `new Function`.
 */
export function passesOf(paths: ObjectPaths): Passes {
  try {
    return compiled(paths);
  } catch {
    return interpreted(paths);
  }
}
