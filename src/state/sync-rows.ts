import { badValue, requireFunction, requireNumber, requireOptions } from "../errors/index.js";
import type { RowId } from "./row-id.js";

/** The part of a table that `syncRows` reads. Every table has it, in a world or in a view. */
export interface RowSource {
  readonly id: ArrayLike<number>;
  readonly end: number;
  readonly capacity: number;
}

/** The functions that create, update and remove your objects. */
export interface RowHandlers<T extends RowSource, O> {
  /** Creates the object for a row that appeared: a sprite, a mesh, an element. `update` follows in the same call. */
  add(table: T, row: number, id: RowId): O;
  /** Copies the row into its object. Runs for every live row in every `sync`. */
  update(object: O, table: T, row: number): void;
  /** Destroys the object of a row that was removed. With `leaveTime`, it runs that many seconds later. */
  remove(object: O): void;
  /**
   * Fades an object out. Runs in every `sync` after its row was removed, with the seconds since then: 0 at first, always less
   * than `leaveTime`. If the row comes back, for example in a rewind, it runs once more with 0, to undo the fading.
   */
  readonly leave?: ((object: O, age: number) => void) | undefined;
  /** Seconds that an object stays after its row was removed. Default 0: `remove` runs at once. */
  readonly leaveTime?: number | undefined;
}

const NAMES = Object.keys({ add: 1, update: 1, remove: 1, leave: 1, leaveTime: 1 } satisfies Record<
  keyof RowHandlers<RowSource, unknown>,
  1
>);

/** Keeps one object per row of a table. */
export interface RowSync<T extends RowSource> {
  /** Brings the objects in line with the table. Call it once per frame. With `leaveTime`, the frame's `delta` is required. */
  sync(table: T, seconds?: number): void;
  /** Removes all objects at once, also those that are leaving. The next `sync` adds them again. */
  clear(): void;
}

/**
 * Maps the rows of a table to objects of any renderer. It creates the objects for the current rows at once, and returns a
 * `RowSync`, whose `sync` you call in each frame. Objects belong to ids: when a row is reused for a new id, the old object is
 * removed and a new one added, and an id that comes back in a rewind is the same row again.
 */
export function syncRows<T extends RowSource, O>(table: T, handlers: RowHandlers<T, O>): RowSync<T> {
  requireOptions("syncRows", handlers, NAMES, "{ add, update, remove }");
  for (const name of ["add", "update", "remove"] as const)
    requireFunction(`syncRows: ${name}`, handlers[name], `${name}() {}`);
  const { leave, leaveTime = 0 } = handlers;
  requireNumber("syncRows: leaveTime", leaveTime, 0, 1e9, 0.5);
  if (leave !== undefined) {
    requireFunction("syncRows: leave", leave, "leave(object, age) {}");
    if (leaveTime === 0)
      badValue("syncRows: leaveTime", "above 0 if there is a leave handler", leaveTime, 0.5);
  }
  const objects = new RowObjects(handlers, leaveTime);
  objects.sync(table, 0);
  return objects;
}

class RowObjects<T extends RowSource, O> implements RowSync<T> {
  readonly #handlers: RowHandlers<T, O>;
  readonly #leaveTime: number;
  /** For each row, the id and the object that are shown. The id is 0 if there is none. */
  #ids = new Float64Array(0);
  readonly #objects: (O | undefined)[] = [];
  /** All shown rows come before this one. */
  #end = 0;
  /** Objects whose rows were removed, the oldest first. Plain arrays keep their memory when they shrink and grow again. */
  readonly #leaving: { readonly ids: number[]; readonly objects: O[]; readonly ages: number[] } = {
    ids: [],
    objects: [],
    ages: [],
  };

  constructor(handlers: RowHandlers<T, O>, leaveTime: number) {
    this.#handlers = handlers;
    this.#leaveTime = leaveTime;
  }

  sync(table: T, seconds?: number): void {
    if (typeof table?.end !== "number" || typeof table.id?.length !== "number")
      badValue("RowSync.sync: table", "a table of a world or a view", table, "view.bullets");
    if (seconds !== undefined)
      requireNumber("RowSync.sync: seconds", seconds, 0, Infinity, "the frame's delta");
    else if (this.#leaveTime > 0)
      // Objects would never finish leaving.
      badValue(
        "RowSync.sync: seconds",
        "a number of 0 or more, because there is a leaveTime",
        seconds,
        "sync(table, delta)",
      );
    if (seconds !== undefined && this.#leaving.ids.length > 0) this.#age(seconds);
    if (table.capacity > this.#ids.length) {
      const ids = new Float64Array(table.capacity);
      ids.set(this.#ids);
      this.#ids = ids;
    }
    const handlers = this.#handlers;
    const { id, end } = table;
    const last = end > this.#end ? end : this.#end;
    // Removed rows first, so that a renderer with a pool can reuse their objects for the new ones.
    for (let row = 0; row < this.#end; row++) {
      const shown = this.#ids[row]!;
      if (shown !== 0 && !(row < end && id[row] === shown)) this.#drop(row, shown);
    }
    // If a handler throws, the next sync handles the remaining rows.
    this.#end = last;
    for (let row = 0; row < end; row++) {
      const own = id[row]!;
      if (own > 0) {
        if (this.#ids[row] === 0) this.#show(table, row, own);
        handlers.update(this.#objects[row]!, table, row);
      }
    }
    this.#end = end;
  }

  clear(): void {
    const { ids, objects, ages } = this.#leaving;
    while (objects.length > 0) {
      ids.pop();
      ages.pop();
      this.#handlers.remove(objects.pop()!);
    }
    for (let row = 0; row < this.#end; row++) {
      if (this.#ids[row] === 0) continue;
      const object = this.#take(row);
      this.#handlers.remove(object);
    }
    this.#end = 0;
  }

  #show(table: T, row: number, id: number): void {
    const { ids, objects, ages } = this.#leaving;
    const at = ids.indexOf(id);
    if (at < 0) this.#objects[row] = this.#handlers.add(table, row, id as RowId);
    else {
      this.#objects[row] = objects[at]!;
      ids.splice(at, 1);
      objects.splice(at, 1);
      ages.splice(at, 1);
    }
    this.#ids[row] = id;
    if (at >= 0) this.#handlers.leave?.(this.#objects[row]!, 0);
  }

  #take(row: number): O {
    const object = this.#objects[row]!;
    this.#ids[row] = 0;
    this.#objects[row] = undefined;
    return object;
  }

  #drop(row: number, id: number): void {
    const object = this.#take(row);
    if (this.#leaveTime === 0) this.#handlers.remove(object);
    else {
      const { ids, objects, ages } = this.#leaving;
      ids.push(id);
      objects.push(object);
      ages.push(0);
      this.#handlers.leave?.(object, 0);
    }
  }

  /** Fades objects, and removes those whose time is over. All have the same `leaveTime`, so the oldest expire first. */
  #age(seconds: number): void {
    const { ids, objects, ages } = this.#leaving;
    let gone = 0;
    for (let i = 0; i < ages.length; i++) {
      ages[i]! += seconds;
      if (ages[i]! >= this.#leaveTime) gone = i + 1;
    }
    for (; gone > 0; gone--) {
      ids.shift();
      ages.shift();
      this.#handlers.remove(objects.shift()!);
    }
    for (let i = 0; i < ages.length; i++) this.#handlers.leave?.(objects[i]!, ages[i]!);
  }
}
