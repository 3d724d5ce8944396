/** How far each field is to be moved, by its numbers. */
export type Shift = ReadonlyMap<string, readonly number[]>;

/** The states of an object, or of columns, that something shows. */
export interface History {
  /** Whose it is: an object may be shown by several. */
  readonly owner: object;
  /** Shows it, or one row of it, as it is now: nothing before counts. */
  teleport(row: number | undefined): void;
  /** Moves its states; in between, lets the object itself be moved. */
  shift(by: Shift, row: number | undefined, move: () => void): void;
  /** Moves the object itself. */
  move(by: Shift, row: number | undefined): void;
}

const histories = new WeakMap<object, readonly History[]>();

export const historiesOf = (object: object): readonly History[] => histories.get(object) ?? [];

export function addHistory(object: object, history: History): void {
  histories.set(object, [...historiesOf(object), history]);
}

export function removeHistory(object: object, history: History): void {
  histories.set(
    object,
    historiesOf(object).filter((other) => other !== history),
  );
}

const views = new WeakSet<object>();

/** Tells what is to be drawn from what is simulated: the two are easily mistaken. */
export const markView = (view: object): void => void views.add(view);
export const isView = (object: object): boolean => views.has(object);
