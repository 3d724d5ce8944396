import { badValue, requireFunction, typeTag, unknownName } from "../errors/index.js";
import { SafeListenerList } from "../loop/index.js";
import { MAX_MESSAGE, type Link, type LinkEvents } from "./link.js";

/** The bytes of reliable messages that may wait, before a link gives up: a peer that reads nothing must not fill the memory. */
export const MAX_WAITING = 64 * 1024 * 1024;

/** The bytes that may wait in a socket, before unreliable messages are dropped: they would only arrive late. */
const MAX_BUFFERED = 16 * 1024;

/** A peer may send this many messages that no link sends, before it is cut off. */
const MAX_STRIKES = 16;

const DOES_NOT_READ = "the peer does not read";

/** What all links have in common: the state, the listeners, and a check of what is sent. */
export abstract class LinkEnd implements Link {
  #state: Link["state"];
  readonly #messageList = new SafeListenerList<Uint8Array>();
  readonly #lists: { readonly [E in keyof LinkEvents]: SafeListenerList<LinkEvents[E]> } = {
    message: this.#messageList,
    open: new SafeListenerList(),
    close: new SafeListenerList(),
  };

  /** Messages of the peer that no link sends. */
  #strikes = 0;
  /** Copies of the reliable messages that were sent while the link connects. */
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;

  constructor(state: Link["state"] = "connecting") {
    this.#state = state;
  }

  get state(): Link["state"] {
    return this.#state;
  }

  /** `owner`: the listener is called as a method of it. With a closure per link instead, a packet would touch more memory. */
  on<E extends keyof LinkEvents>(
    event: E,
    listener: (info: LinkEvents[E]) => void,
    owner?: object,
  ): () => void {
    if (!Object.hasOwn(this.#lists, event)) unknownName("Link.on", "event", event, Object.keys(this.#lists));
    requireFunction("Link.on: listener", listener);
    return this.#lists[event].add(listener, owner);
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
    if (this.#state !== "closed") this.#messageList.call(bytes);
  }

  /** Reports the data of a message event of a socket. Closes the link if the peer often sends what no link sends. */
  protected receivedData(data: unknown): void {
    const bytes = bytesOf(data);
    if (bytes) this.received(bytes);
    else if (++this.#strikes === MAX_STRIKES) this.close("the peer sent too many invalid messages");
  }

  /**
   * Sends through a socket, unless the message is unreliable and many bytes wait. Closes the link if the socket takes no more
   * reliable messages.
   */
  protected sendThrough(socket: SendsBytes, bytes: Uint8Array, reliable: boolean): void {
    const waiting = socket.bufferedAmount;
    if (!reliable && waiting > MAX_BUFFERED) return;
    try {
      if (waiting <= MAX_WAITING) {
        socket.send(bytes);
        return;
      }
    } catch {
      // Its own buffer is full, or it is closing.
    }
    if (reliable) this.close(DOES_NOT_READ);
  }

  /** Keeps a reliable message until the link is open. Closes the link if too many wait. */
  protected keep(bytes: Uint8Array): void {
    this.#waitingBytes += bytes.length;
    if (this.#waitingBytes > MAX_WAITING) this.close(DOES_NOT_READ);
    else this.#waiting.push(bytes.slice());
  }

  /** Sends what was kept, and reports that the link can send now. */
  protected openedWith(socket: SendsBytes): void {
    if (this.#state !== "connecting") return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const bytes of waiting) this.sendThrough(socket, bytes, true);
    this.opened();
  }

  /** Reports that the link is closed. */
  protected closed(reason: string): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#lists.close.callAll(reason);
  }
}

/** The part of a socket that sends. */
interface SendsBytes {
  readonly bufferedAmount: number;
  send(bytes: Uint8Array): void;
}

/** Returns the bytes of a message event, if a link can have sent them. */
function bytesOf(data: unknown): Uint8Array | undefined {
  const bytes = ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : // By its name, as it may come from another realm.
      typeTag(data) === "ArrayBuffer"
      ? new Uint8Array(data as ArrayBuffer)
      : undefined;
  return bytes && bytes.length <= MAX_MESSAGE ? bytes : undefined;
}
