import type { Contacts } from "./contacts.js";
import type { AnyFields, AnyKind } from "./kinds.js";
import type { Motion, MotionStates } from "./motion.js";

/** A blended field. Its numbers lie at `from` and `extra`, from where the numbers of its object begin: see `Motion`. */
export interface TrackedField {
  readonly name: string;
  readonly kind: AnyKind;
  readonly motion: Motion | undefined;
  readonly from: number;
  readonly extra: number;
  readonly stride: number;
}

/** Blends the objects of one call of `smooth`, or the columns of one call of `smoothColumns`. */
export interface TrackerOwner {
  /** The kinds of all fields. */
  readonly kinds: AnyFields;
  /** Moments of the last step that the picture goes through: see `contact`. */
  contacts: Contacts | undefined;
  /** Between the beginning and the end of a step. */
  readonly isInStep: boolean;
  /** How many steps the picture is ahead of the blend. */
  readonly ahead: number;
}

/** Keeps the states of an object, or of columns, to blend them. `part` counts the numbers of a field, of all rows. */
export interface Tracker {
  /** An object may have several. */
  readonly owner: TrackerOwner;
  readonly fields: readonly TrackedField[];
  /** Where its numbers begin. */
  readonly numbers: number;
  /** How many rows there is room for; undefined for an object. */
  readonly rows?: number;
  /** Discards the earlier states of the object, or of one row. */
  teleport(row: number | undefined): void;
  statesOf(field: TrackedField): MotionStates;
  /** Whether a step is running that began with the object, or with the row, so that it has a previous state. */
  isEntered(row: number | undefined): boolean;
  /** The rows of a call: from the first to before the end. */
  range(row: number | undefined): readonly [first: number, end: number];
  /** Whether the value that a number belongs to was written after the step, so that it is shown as it is. */
  isWritten(field: TrackedField, part: number): boolean;
  /** What the object has now. */
  read(field: TrackedField, part: number): number;
  /** Sets what the view shows. */
  show(field: TrackedField, part: number, value: number): void;
  /** Moves the columns themselves. */
  move?(by: FieldNumbers, row: number | undefined): void;
}

/** Numbers of each field, by name; undefined for components that are left out. */
export type FieldNumbers = ReadonlyMap<string, readonly (number | undefined)[]>;

const trackers = new WeakMap<object, readonly Tracker[]>();

export const trackersOf = (object: object): readonly Tracker[] => trackers.get(object) ?? [];

export function addTracker(object: object, tracker: Tracker): void {
  trackers.set(object, [...trackersOf(object), tracker]);
}

export function removeTracker(object: object, tracker: Tracker): void {
  trackers.set(
    object,
    trackersOf(object).filter((other) => other !== tracker),
  );
}

const views = new WeakSet<object>();

/** Marks a view, to detect calls that pass a view instead of its object. */
export const markView = (view: object): void => void views.add(view);
export const isView = (object: object): boolean => views.has(object);
