import { badValue, requireFunction, requireWhole } from "../errors/index.js";
import {
  ACK,
  ACK_EVERY,
  BodyWriter,
  CANCEL,
  END,
  FRAGMENT,
  LENGTHS,
  MAX_BODY,
  readU32,
  REFUSE,
  START,
  WHOLE,
} from "./transfer-message.js";
import { TransferReceiver } from "./transfer-receiver.js";
import { NOT_WAITING, TransferSender, type SentTransfer } from "./transfer-sender.js";

export type { SentTransfer } from "./transfer-sender.js";

/** How transfers reach their link and their owner. */
export interface TransferOptions {
  /**
   * Sends the body of a message reliably: at most 1,199 bytes, valid during the call. Add a byte that tells it from other messages,
   * and give what follows that byte to `receive` at the other end.
   */
  send(body: Uint8Array): void;
  /** Whether to receive a message of a kind and a length. Not called again for the same message, so check the length here. */
  accept(kind: number, total: number): boolean;
  /** A whole message has arrived. The bytes are yours. */
  received(kind: number, bytes: Uint8Array): void;
  /** More of a long message has arrived. */
  progress?(kind: number, received: number, total: number): void;
  /** The other side does not want a message that was under way. */
  refused?(kind: number): void;
  /** Most fragments under way, at least 8. Default: 64, which is 76 KB per round trip. */
  readonly window?: number;
}

/**
 * Sends and receives messages of any length over the reliable messages of one link. Short ones are sent at once. Long ones are cut
 * into fragments and take turns; the receiver acknowledges fragments, so that a long message does not flood the link. Messages of
 * different lengths may overtake each other.
 */
export class Transfers {
  readonly #options: TransferOptions;
  readonly #sender: TransferSender;
  readonly #receiver: TransferReceiver;
  readonly #writer = new BodyWriter();
  #isDisposed = false;

  constructor(options: TransferOptions) {
    const { window = 64 } = options;
    for (const name of ["send", "accept", "received"] as const)
      requireFunction(`Transfers: ${name}`, options[name]);
    // With fewer, the sender would wait for an acknowledgement that waits for more fragments.
    requireWhole("Transfers: window", window, ACK_EVERY, 64);
    const send = (body: Uint8Array): void => {
      if (!this.#isDisposed) options.send(body);
    };
    this.#options = options;
    this.#sender = new TransferSender(send, window);
    this.#receiver = new TransferReceiver({
      accept: (kind, total) => options.accept(kind, total),
      received: (kind, bytes) => options.received(kind, bytes),
      progress: (kind, received, total) => options.progress?.(kind, received, total),
      refuse: (id) => send(this.#writer.short(REFUSE, id)),
      acknowledge: (count) => send(this.#writer.short(ACK, count)),
    });
  }

  /** Bytes that wait to be sent. A peer that acknowledges nothing lets them grow: close its link when they are too many. */
  get waitingBytes(): number {
    return this.#sender.waitingBytes;
  }

  /** Whether a long message is arriving. */
  get isReceiving(): boolean {
    return this.#receiver.isReceiving;
  }

  /** Sends a message. Its kind is a number from 0 to 255 of your choice. Do not change the bytes before they are sent. */
  start(kind: number, bytes: Uint8Array): SentTransfer {
    if (!(Number.isInteger(kind) && kind >= 0 && kind < 256))
      badValue("Transfers.start: kind", "a whole number from 0 to 255", kind, 1);
    if (!(bytes instanceof Uint8Array) || bytes.length >= 2 ** 32)
      badValue("Transfers.start: bytes", "a Uint8Array of less than 4 GB", bytes, "new Uint8Array(8)");
    return this.#isDisposed ? NOT_WAITING : this.#sender.start(kind, bytes);
  }

  /** Refuses the rest of all messages of a kind that are arriving. */
  abort(kind: number): void {
    this.#receiver.abort(kind);
  }

  /** Takes in the body of a message. Returns what is wrong with it, such as "a transfer with a wrong check". */
  receive(body: Uint8Array): string | undefined {
    if (this.#isDisposed) return undefined;
    const type = body.length > 0 ? body[0]! : -1;
    const length = LENGTHS[type];
    if (length === undefined) return "a transfer message of an unknown type";
    const isOpen = type === WHOLE || type === FRAGMENT;
    const isEmptyFragment = type === FRAGMENT && body.length === length;
    if (
      body.length < length ||
      (body.length > length && !isOpen) ||
      isEmptyFragment ||
      body.length > MAX_BODY
    )
      return "a transfer message of a wrong length";
    return this.#dispatch(type, body);
  }

  #dispatch(type: number, body: Uint8Array): string | undefined {
    if (type === WHOLE) return void this.#receiver.whole(body[1]!, body.subarray(2));
    const number = readU32(body, 1);
    switch (type) {
      case START:
        return this.#receiver.start(number, body[5]!, readU32(body, 6));
      case FRAGMENT:
        return this.#receiver.fragment(number, body.subarray(5));
      case END:
        return this.#receiver.end(number, readU32(body, 5));
      case CANCEL:
        return this.#receiver.cancel(number);
      case REFUSE:
        return this.#onRefusal(this.#sender.refuse(number));
      default:
        return this.#sender.acknowledge(number);
    }
  }

  #onRefusal(kind: number | string): string | undefined {
    if (typeof kind === "string") return kind;
    if (kind >= 0) this.#options.refused?.(kind);
    return undefined;
  }

  /** Forgets all messages under way, and sends no more. */
  dispose(): void {
    this.#isDisposed = true;
    this.#sender.clear();
    this.#receiver.clear();
  }
}
