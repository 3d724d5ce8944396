/** How far each field is to be moved, by its numbers. */
export type Shift = ReadonlyMap<string, readonly number[]>;

/** What keeps the states of an object, or of columns, to show them. */
export interface Keeper {
  /** Whose it is: an object may be shown by several. */
  readonly owner: object;
  /** Shows it, or one row of it, as it is now: nothing before counts. */
  teleport(row: number | undefined): void;
  /** Moves its states; in between, lets the object itself be moved. */
  shift(by: Shift, row: number | undefined, move: () => void): void;
  /** Moves the object itself. */
  move(by: Shift, row: number | undefined): void;
}

const keepers = new WeakMap<object, readonly Keeper[]>();

export const keepersOf = (object: object): readonly Keeper[] => keepers.get(object) ?? [];

export function addKeeper(object: object, keeper: Keeper): void {
  keepers.set(object, [...keepersOf(object), keeper]);
}

export function removeKeeper(object: object, keeper: Keeper): void {
  keepers.set(
    object,
    keepersOf(object).filter((other) => other !== keeper),
  );
}

const views = new WeakSet<object>();

/** Tells what is to be drawn from what is simulated: the two are easily mistaken. */
export const markView = (view: object): void => void views.add(view);
export const isView = (object: object): boolean => views.has(object);
