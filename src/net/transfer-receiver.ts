import { ACK_EVERY, check, CHECK_START, MAX_ACTIVE } from "./transfer-message.js";

/** Memory grows from this many bytes on, as fragments arrive. */
const FIRST_BYTES = 8192;

/** A message that arrives in fragments. */
interface Incoming {
  readonly kind: number;
  readonly total: number;
  bytes: Uint8Array;
  received: number;
  check: number;
}

/** What the receiving side calls. */
export interface TransferListener {
  accept(kind: number, total: number): boolean;
  received(kind: number, bytes: Uint8Array): void;
  progress?(kind: number, received: number, total: number): void;
  /** Tells the sender that a transfer is not wanted. */
  refuse(id: number): void;
  /** Tells the sender how many fragments have arrived, modulo 2^32. */
  acknowledge(count: number): void;
}

/** The receiving side of the transfers on a link. Its methods return what is wrong with a message, if anything. */
export class TransferReceiver {
  readonly #listener: TransferListener;
  readonly #active = new Map<number, Incoming>();
  #lastId = 0;
  /** Fragments that have arrived, and how many of them were acknowledged. */
  #count = 0;
  #acked = 0;

  constructor(listener: TransferListener) {
    this.#listener = listener;
  }

  get isReceiving(): boolean {
    return this.#active.size > 0;
  }

  /** Takes in a message in one piece. */
  whole(kind: number, bytes: Uint8Array): void {
    if (this.#listener.accept(kind, bytes.length)) this.#listener.received(kind, bytes.slice());
  }

  start(id: number, kind: number, total: number): string | undefined {
    if (id !== this.#lastId + 1) return "a transfer out of turn";
    this.#lastId = id;
    if (total === 0) return "an empty transfer in fragments";
    if (this.#active.size >= MAX_ACTIVE) return "too many transfers at once";
    if (!this.#listener.accept(kind, total)) this.#listener.refuse(id);
    else this.#active.set(id, { kind, total, bytes: new Uint8Array(0), received: 0, check: CHECK_START });
    return undefined;
  }

  fragment(id: number, part: Uint8Array): string | undefined {
    const transfer = this.#active.get(id);
    if (!transfer) return this.#ofUnknown(id, true);
    if (transfer.received + part.length > transfer.total) {
      this.#active.delete(id);
      return "a transfer that is longer than announced";
    }
    append(transfer, part);
    this.#countFragment();
    this.#listener.progress?.(transfer.kind, transfer.received, transfer.total);
    return undefined;
  }

  end(id: number, sum: number): string | undefined {
    const transfer = this.#active.get(id);
    if (!transfer) return this.#ofUnknown(id, false);
    this.#active.delete(id);
    if (transfer.received < transfer.total) return "a transfer that is shorter than announced";
    if (transfer.check !== sum) return "a transfer with a wrong check";
    this.#acknowledge();
    this.#listener.received(transfer.kind, transfer.bytes);
    return undefined;
  }

  cancel(id: number): string | undefined {
    return this.#active.delete(id) ? undefined : this.#ofUnknown(id, false);
  }

  /** Refuses the rest of all transfers of a kind. */
  abort(kind: number): void {
    for (const [id, transfer] of this.#active)
      if (transfer.kind === kind && this.#active.delete(id)) this.#listener.refuse(id);
  }

  /** Forgets everything. */
  clear(): void {
    this.#active.clear();
  }

  /** The rest of a transfer that was refused still arrives. */
  #ofUnknown(id: number, isFragment: boolean): string | undefined {
    if (id === 0 || id > this.#lastId) return "a part of a transfer that was not started";
    if (isFragment) this.#countFragment();
    return undefined;
  }

  #countFragment(): void {
    this.#count++;
    if (this.#count - this.#acked >= ACK_EVERY) this.#acknowledge();
  }

  #acknowledge(): void {
    if (this.#count === this.#acked) return;
    this.#acked = this.#count;
    this.#listener.acknowledge(this.#count % 2 ** 32);
  }
}

/** Appends a fragment. The memory doubles, so it is never much more than has arrived, whatever was announced. */
function append(transfer: Incoming, part: Uint8Array): void {
  const { bytes, received, total } = transfer;
  const needed = received + part.length;
  if (needed > bytes.length) {
    const size = Math.max(needed, FIRST_BYTES, 2 * bytes.length);
    transfer.bytes = new Uint8Array(Math.min(total, size));
    transfer.bytes.set(bytes.subarray(0, received));
  }
  transfer.bytes.set(part, received);
  transfer.received = needed;
  transfer.check = check(transfer.check, part);
}
