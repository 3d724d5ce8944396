import { ListenerList } from "./listener-list.js";

/** Listeners of events that come only once: each of them is called, even if another one throws. */
export class SafeListenerList<T> extends ListenerList<T> {
  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** Calls all listeners, in the order in which they were added. */
  call(info: T): void {
    const { entries } = this;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      entry.run?.call(entry.owner, info);
    }
  }

  /** Calls all listeners even if one throws, and then throws the first error. */
  callAll(info: T): void {
    const { entries } = this;
    let failed: { readonly error: unknown } | undefined;
    for (let i = 0; i < entries.length; i++) {
      const { run, owner } = entries[i]!;
      try {
        run?.call(owner, info);
      } catch (error) {
        failed ??= { error };
      }
    }
    if (failed) throw failed.error;
  }
}
