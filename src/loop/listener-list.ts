/** A listener, which is called as a method of its owner if it has one. `run` is undefined once it is removed. */
interface Entry<T> {
  readonly owner: unknown;
  run: ((info: T) => void) | undefined;
}

/**
 * A list of listeners that may change while it is called: each change creates a new array, so a call goes through the
 * listeners it began with, except for those removed since.
 */
export class ListenerList<T> {
  #entries: readonly Entry<T>[] = [];
  /** The only listener and its owner, if there is just one: then a call touches nothing else. */
  #only: ((info: T) => void) | undefined;
  #onlyOwner: unknown;

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Adds a listener. Returns the function that removes it. */
  add(run: (info: T) => void, owner?: unknown): () => void {
    const entry: Entry<T> = { owner, run };
    this.#set([...this.#entries, entry]);
    return () => {
      entry.run = undefined;
      this.#set(this.#entries.filter((other) => other !== entry));
    };
  }

  #set(entries: readonly Entry<T>[]): void {
    const only = entries.length === 1 ? entries[0] : undefined;
    this.#entries = entries;
    this.#only = only?.run;
    this.#onlyOwner = only?.owner;
  }

  /** Calls all listeners, in the order in which they were added. */
  call(info: T): void {
    const only = this.#only;
    if (only) return only.call(this.#onlyOwner, info);
    const entries = this.#entries;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      entry.run?.call(entry.owner, info);
    }
  }

  /** Calls all functions even if one throws, and then throws the first error. */
  callAll(info: T): void {
    const entries = this.#entries;
    let failed: { readonly error: unknown } | undefined;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      try {
        entry.run?.call(entry.owner, info);
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
  }
}
