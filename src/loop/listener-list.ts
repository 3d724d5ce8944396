/** A listener, which is called as a method of its owner if it has one. */
interface Listener<T> {
  /** Undefined once the listener is removed. */
  run: ((info: T) => unknown) | undefined;
  readonly owner: unknown;
  /** What an error calls the listener, if it must not return a promise. */
  readonly subject: string | undefined;
}

/**
 * A list of listeners that may change while it is called: each change creates a new array, so a call goes through the
 * listeners it began with, except for those removed since.
 */
export class ListenerList<T> {
  entries: readonly Listener<T>[] = [];

  /** Adds a listener. Returns the function that removes it. */
  add(run: (info: T) => unknown, owner?: unknown, subject?: string): () => void {
    const entry: Listener<T> = { run, owner, subject };
    this.entries = [...this.entries, entry];
    return () => {
      entry.run = undefined;
      this.entries = this.entries.filter((other) => other !== entry);
    };
  }
}
