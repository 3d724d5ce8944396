/**
 * A list of listeners that may change while it is called: each change creates a new array, so a call goes through the
 * listeners it began with, except for those removed since.
 */
export class ListenerList<T> {
  #entries: readonly { run?: ((info: T) => void) | undefined }[] = [];

  /** Adds a listener. Returns the function that removes it. */
  add(run: (info: T) => void): () => void {
    const entry: { run?: (info: T) => void } = { run };
    this.#entries = [...this.#entries, entry];
    return () => {
      delete entry.run;
      this.#entries = this.#entries.filter((other) => other !== entry);
    };
  }

  /** Calls all listeners, in the order in which they were added. */
  call(info: T): void {
    const entries = this.#entries;
    for (let i = 0; i < entries.length; i++) entries[i]!.run?.(info);
  }
}
