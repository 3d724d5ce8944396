/** The amounts to move each field by. */
export type Shift = ReadonlyMap<string, readonly number[]>;

/** Where fields were at a moment; undefined for components that are not known. */
export type Placement = ReadonlyMap<string, readonly (number | undefined)[]>;

/** Keeps the states of an object, or of columns, to blend them. */
export interface Tracker {
  /** The smoother that it belongs to. An object may have several. */
  readonly owner: object;
  /** Discards the earlier states of the object, or of one row. */
  teleport(row: number | undefined): void;
  /** Moves its states, and calls `move` to move the object itself. */
  shift(by: Shift, row: number | undefined, move: () => void): void;
  /** Notes where the object was at a fraction of the step. Returns whether a step is running. */
  contact(fraction: number, at: Placement, row: number | undefined): boolean;
  /** Moves the object itself. */
  move(by: Shift, row: number | undefined): void;
}

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
