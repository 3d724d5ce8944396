/** Something that is due at a time. */
export interface Due {
  /** Milliseconds. The heap reads it when the item is set. */
  due: number;
  /** Decides between items that are due at the same time: the one that was set first comes first. */
  order: number;
  /** Where the item is in its heap, or -1. */
  place: number;
}

/** A binary heap of items by the time at which they are due. Items are reused, so it allocates nothing once it has grown. */
export class DueHeap<T extends Due> {
  readonly #items: T[] = [];
  #order = 0;

  /** The item that is due first. */
  get first(): T | undefined {
    return this.#items[0];
  }

  /** Adds an item, or moves it to another time. It comes after all items that are due at the same time. */
  set(item: T, due: number): void {
    item.due = due;
    item.order = this.#order++;
    if (item.place < 0) {
      item.place = this.#items.length;
      this.#items.push(item);
    }
    this.#sink(item, this.#raise(item));
  }

  /** Removes an item, if it is in the heap. */
  remove(item: T): void {
    const { place } = item;
    if (place < 0) return;
    item.place = -1;
    const last = this.#items.pop()!;
    if (last === item) return;
    last.place = place;
    this.#items[place] = last;
    this.#sink(last, this.#raise(last));
  }

  /** Moves an item up to its place. Returns the place. */
  #raise(item: T): number {
    const items = this.#items;
    let { place } = item;
    while (place > 0) {
      const up = (place - 1) >> 1;
      const parent = items[up]!;
      if (!before(item, parent)) break;
      items[place] = parent;
      parent.place = place;
      place = up;
    }
    items[place] = item;
    item.place = place;
    return place;
  }

  #sink(item: T, from: number): void {
    const items = this.#items;
    const { length } = items;
    let place = from;
    for (;;) {
      let down = 2 * place + 1;
      if (down >= length) break;
      if (down + 1 < length && before(items[down + 1]!, items[down]!)) down++;
      const child = items[down]!;
      if (!before(child, item)) break;
      items[place] = child;
      child.place = place;
      place = down;
    }
    items[place] = item;
    item.place = place;
  }
}

function before(a: Due, b: Due): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order);
}
