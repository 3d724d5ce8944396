import type { Packing } from "../../input/index.js";
import type { ClientPackets } from "./client-packets.js";
import type { Connection, ConnectionHandlers } from "./connection.js";
import { LineQuality } from "../line-quality.js";
import type { VisibleState } from "./visible-state.js";
import { InputBuffer } from "./input-buffer.js";
import { InputQueue } from "./input-queue.js";

/** Takes what clients send besides packets. */
export interface ClientHandlers {
  onControl(client: ServerClient, type: number, body: Uint8Array, now: number): void;
  onTransfer(client: ServerClient, kind: number, bytes: Uint8Array): void;
  accepts(client: ServerClient, kind: number, total: number): boolean;
  onClosed(client: ServerClient, reason: string, isHostile: boolean): void;
}

/** A client or a viewer, as the server sees it. What a packet needs comes first, so that it lies together in memory. */
export class ServerClient implements ConnectionHandlers {
  /** 0 until it was welcomed. */
  id = 0;
  readonly #packets: ClientPackets;
  isViewer = false;
  connection!: Connection;
  /** Undefined in lockstep, and for those without a seat. */
  buffer: InputBuffer | undefined;
  readonly quality: LineQuality;
  /** The tick before which it knows all inputs; or the newest state that it has, 0 if it has none. */
  ack = 0;
  /** The state that it had acknowledged before that one; 0 if none. */
  olderAck = 0;
  /** The seats it plays. */
  seats: readonly number[] = [];
  readonly #handlers: ClientHandlers;
  name = "";
  token = "";
  /** It was told who plays. */
  hasNews = false;
  /** It was rejected, as it has another build of the simulation. */
  isRejected = false;
  /** Bytes of long messages that it may send now, and since when. */
  longBytes = 0.5;
  longBytesAt = -0.5;
  /** In lockstep instead of the buffer. */
  queue: InputQueue | undefined;
  /** What it may see of each state, if that differs from what others see. */
  view: VisibleState | undefined;
  /** When it was last sent the whole state. */
  snapshotAt = -Infinity;
  /** The commands of ticks before this one were sent. */
  commandsSent = 0;

  constructor(packets: ClientPackets, handlers: ClientHandlers, tickMs: number) {
    this.#packets = packets;
    this.#handlers = handlers;
    this.quality = new LineQuality(tickMs);
  }

  onPacket(bytes: Uint8Array, now: number): void {
    if (this.id !== 0) this.#packets.receive(this, bytes, now);
  }
  onControl(type: number, body: Uint8Array, now: number): void {
    this.#handlers.onControl(this, type, body, now);
  }
  onTransfer(kind: number, bytes: Uint8Array): void {
    this.#handlers.onTransfer(this, kind, bytes);
  }
  accepts(kind: number, total: number): boolean {
    return this.#handlers.accepts(this, kind, total);
  }
  onClosed(reason: string, isHostile: boolean): void {
    this.#handlers.onClosed(this, reason, isHostile);
  }

  sit(packing: Packing, seats: readonly number[], from: number, isInLockstep: boolean): void {
    this.seats = seats;
    if (seats.length === 0) return;
    if (isInLockstep) this.queue = new InputQueue(packing, seats);
    else this.buffer = new InputBuffer(packing, seats, from);
  }
}
