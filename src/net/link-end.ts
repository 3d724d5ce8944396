import { badValue, requireFunction, unknownName } from "../errors/index.js";
import { ListenerList } from "../loop/index.js";
import { MAX_MESSAGE, type Link, type LinkEvents } from "./link.js";

/** What all links have in common: the state, the listeners, and a check of what is sent. */
export abstract class LinkEnd implements Link {
  #state: Link["state"];
  readonly #lists: { readonly [E in keyof LinkEvents]: ListenerList<LinkEvents[E]> } = {
    message: new ListenerList(),
    open: new ListenerList(),
    close: new ListenerList(),
  };

  constructor(state: Link["state"] = "connecting") {
    this.#state = state;
  }

  get state(): Link["state"] {
    return this.#state;
  }

  on<E extends keyof LinkEvents>(event: E, listener: (info: LinkEvents[E]) => void): () => void {
    if (!Object.hasOwn(this.#lists, event)) unknownName("Link.on", "event", event, Object.keys(this.#lists));
    requireFunction("Link.on: listener", listener);
    return this.#lists[event].add(listener);
  }

  send(bytes: Uint8Array, reliable = false): void {
    if (!(bytes instanceof Uint8Array))
      badValue("Link.send: bytes", "a Uint8Array", bytes, "new Uint8Array(1)");
    if (bytes.length > MAX_MESSAGE)
      badValue("Link.send: bytes.length", `at most ${MAX_MESSAGE}`, bytes.length, "several messages");
    if (this.#state !== "closed") this.transmit(bytes, reliable);
  }

  close(reason = "closed by this side"): void {
    if (this.#state === "closed") return;
    this.shut(reason);
    this.closed(reason);
  }

  /** Sends a message that was checked. The link is connecting or open. */
  protected abstract transmit(bytes: Uint8Array, reliable: boolean): void;
  /** Closes what carries the messages. Called once, while the link is not yet closed. */
  protected abstract shut(reason: string): void;

  /** Reports that the link can send now. */
  protected opened(): void {
    if (this.#state !== "connecting") return;
    this.#state = "open";
    this.#lists.open.callAll(undefined);
  }

  /** Reports a message of the peer. */
  protected received(bytes: Uint8Array): void {
    if (this.#state !== "closed") this.#lists.message.call(bytes);
  }

  /** Reports that the link is closed. */
  protected closed(reason: string): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#lists.close.callAll(reason);
  }
}
