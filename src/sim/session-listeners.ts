import { requireFunction, unknownName } from "../errors/index.js";
import { SafeListenerList } from "../loop/index.js";

/** The listeners of a session, by event. */
export class SessionListeners<M extends object> {
  readonly #call: string;
  readonly #lists: { readonly [N in keyof M]: SafeListenerList<M[N]> };

  /** `names` lists every event that the session has. Errors name `call`. */
  constructor(names: readonly (keyof M & string)[], call = "Session.on") {
    this.#call = call;
    this.#lists = Object.fromEntries(names.map((name) => [name, new SafeListenerList()])) as never;
  }

  /** Adds a listener. Returns the function that removes it. */
  on<N extends keyof M>(event: N, listener: (info: M[N]) => void): () => void {
    requireFunction(`${this.#call}: listener`, listener);
    if (!Object.hasOwn(this.#lists, event)) unknownName(this.#call, "event", event, Object.keys(this.#lists));
    return this.#lists[event].add(listener);
  }

  /** Whether an event has listeners. Otherwise it need not be created. */
  isHeard(event: keyof M): boolean {
    return !this.#lists[event].isEmpty;
  }

  /** Calls all listeners even if one throws, as no event comes twice: a recorder would miss a tick. Then throws the first error. */
  emit<N extends keyof M>(event: N, info: M[N]): void {
    this.#lists[event].callAll(info);
  }
}
