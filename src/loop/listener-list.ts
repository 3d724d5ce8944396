/** A function to be called, as a method of its owner if it has one; gone as soon as it is taken out. */
interface Entry<T> {
  readonly owner: unknown;
  run: ((info: T) => void) | undefined;
}

/**
 * A list of functions that may be changed while it is walked: each change makes a new array, so a
 * walk goes on over the members it began with, less those that have been taken out since.
 */
export class ListenerList<T> {
  #entries: readonly Entry<T>[] = [];

  add(run: (info: T) => void, owner?: unknown): () => void {
    const entry: Entry<T> = { owner, run };
    this.#entries = [...this.#entries, entry];
    return () => {
      entry.run = undefined;
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  call(info: T): void {
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
