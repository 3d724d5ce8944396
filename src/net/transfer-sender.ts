import {
  BodyWriter,
  CANCEL,
  check,
  CHECK_START,
  MAX_ACTIVE,
  MAX_FRAGMENT,
  MAX_WHOLE,
} from "./transfer-message.js";

/** A message that is being sent in fragments. */
interface Outgoing {
  /** 0 until its turn comes. */
  id: number;
  readonly kind: number;
  readonly bytes: Uint8Array;
  sent: number;
  check: number;
}

/** A transfer that was started, to cancel it. */
export interface SentTransfer {
  /** Whether some of it has not been sent yet. */
  readonly isWaiting: boolean;
  /** Sends no more of it. The receiver forgets it, unless it was sent to the end. */
  cancel(): void;
}

/** A transfer that was sent at once, or never will be. */
export const NOT_WAITING: SentTransfer = { isWaiting: false, cancel: () => {} };

/** The sending side of the transfers on a link: takes turns between transfers, as long as the window has room. */
export class TransferSender {
  readonly #send: (body: Uint8Array) => void;
  readonly #window: number;
  readonly #writer = new BodyWriter();
  #waiting: Outgoing[] = [];
  /** Those whose turn has come, the next one first. */
  #active: Outgoing[] = [];
  #lastId = 0;
  /** Fragments that were sent and not acknowledged. */
  #inFlight = 0;
  /** The last acknowledged count, modulo 2^32. */
  #acked = 0;
  /** Whether fragments are being sent, which the caller may interrupt with a new transfer. */
  #isPumping = false;

  constructor(send: (body: Uint8Array) => void, window: number) {
    this.#send = send;
    this.#window = window;
  }

  /** Bytes that have not been sent yet. */
  get waitingBytes(): number {
    const sum = (total: number, { bytes, sent }: Outgoing): number => total + bytes.length - sent;
    return this.#active.reduce(sum, this.#waiting.reduce(sum, 0));
  }

  start(kind: number, bytes: Uint8Array): SentTransfer {
    if (bytes.length <= MAX_WHOLE) {
      this.#send(this.#writer.whole(kind, bytes));
      return NOT_WAITING;
    }
    const transfer: Outgoing = { id: 0, kind, bytes, sent: 0, check: CHECK_START };
    this.#waiting.push(transfer);
    this.#pump();
    const isWaiting = (): boolean => this.#active.includes(transfer) || this.#waiting.includes(transfer);
    return {
      get isWaiting() {
        return isWaiting();
      },
      cancel: () => {
        if (!isWaiting()) return;
        this.#remove(transfer);
        if (transfer.id > 0) this.#send(this.#writer.short(CANCEL, transfer.id));
        this.#pump();
      },
    };
  }

  /** The receiver has all but the newest fragments. Returns what is wrong with that, if anything. */
  acknowledge(count: number): string | undefined {
    const more = (count - this.#acked) >>> 0;
    if (more > this.#inFlight) return "an acknowledgement of fragments that were not sent";
    this.#acked = count;
    this.#inFlight -= more;
    this.#pump();
    return undefined;
  }

  /** The receiver does not want a transfer. Returns its kind if it was under way, or what is wrong. */
  refuse(id: number): number | string {
    if (id === 0 || id > this.#lastId) return "a refusal of a transfer that was not started";
    const transfer = this.#active.find((active) => active.id === id);
    // It was sent to the end, or cancelled.
    if (!transfer) return -1;
    this.#remove(transfer);
    this.#pump();
    return transfer.kind;
  }

  /** Forgets everything. */
  clear(): void {
    this.#waiting = [];
    this.#active = [];
  }

  #remove(transfer: Outgoing): void {
    this.#waiting = this.#waiting.filter((other) => other !== transfer);
    this.#active = this.#active.filter((other) => other !== transfer);
  }

  /** Sends fragments while the window has room. */
  #pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      this.#admit();
      while (this.#inFlight < this.#window && this.#active.length > 0) {
        this.#sendFragment(this.#active.shift()!);
        this.#admit();
      }
    } finally {
      this.#isPumping = false;
    }
  }

  /** Starts transfers that wait for their turn. */
  #admit(): void {
    while (this.#active.length < MAX_ACTIVE && this.#waiting.length > 0) {
      const transfer = this.#waiting.shift()!;
      transfer.id = ++this.#lastId;
      this.#active.push(transfer);
      this.#send(this.#writer.start(transfer.id, transfer.kind, transfer.bytes.length));
    }
  }

  #sendFragment(transfer: Outgoing): void {
    const { id, bytes, sent } = transfer;
    const part = bytes.subarray(sent, sent + MAX_FRAGMENT);
    transfer.sent += part.length;
    transfer.check = check(transfer.check, part);
    this.#inFlight++;
    const isLast = transfer.sent === bytes.length;
    // After the others. Before sending, as the link may call back.
    if (!isLast) this.#active.push(transfer);
    this.#send(this.#writer.fragment(id, part));
    if (isLast) this.#send(this.#writer.end(id, transfer.check));
  }
}
