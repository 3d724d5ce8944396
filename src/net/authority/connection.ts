import { LinkEnd } from "../link-end.js";
import { MAX_MESSAGE, type Link } from "../link.js";
import { ADMIT_EVERY, MessageLimits } from "../message-limits.js";
import { FRAGMENT, message } from "../messages.js";
import { Transfers, type SentTransfer } from "../transfer.js";

/** Bytes of long messages that may wait besides the longest one, before a connection ends: the other side does not read. */
const MAX_WAITING = 8 * 1024 * 1024;

/** Takes what arrives on a connection. */
export interface ConnectionHandlers {
  /** A packet: its first bit is 0. Valid only during the call. */
  onPacket(bytes: Uint8Array, now: number): void;
  /** Another message, without its type. */
  onControl(type: number, body: Uint8Array, now: number): void;
  /** A long message. The bytes are yours. */
  onTransfer(kind: number, bytes: Uint8Array): void;
  /** Whether to receive a long message. */
  accepts(kind: number, total: number): boolean;
  /** Long messages are states: as many fragments arrive as the line carries. */
  readonly receivesStates?: boolean;
  /** The connection has ended. Called once. */
  onClosed(reason: string, isHostile: boolean): void;
}

/** One link of a server or a client: counts what passes, carries long messages, and ends if the other side breaks the protocol. */
export class Connection {
  // What a packet needs comes first, so that it lies together in memory.
  isClosed = false;
  readonly #now: () => number;
  messagesReceived = 0;
  bytesReceived = 0;
  readonly #handlers: ConnectionHandlers;
  /** Messages since the limits were checked. */
  #unadmitted = 0;
  // A fraction, so that V8 keeps the field as a double and new values are not allocated.
  /** When the last message arrived. */
  heardAt = 0.5;
  readonly link: Link;
  messagesSent = 0;
  bytesSent = 0;
  readonly transfers: Transfers;
  /** Messages that were dropped as malformed or impossible, and why the last one was. */
  droppedMessages = 0;
  lastFault = "";
  #longest = 0;
  readonly #limits = new MessageLimits();

  constructor(link: Link, now: () => number, handlers: ConnectionHandlers) {
    this.link = link;
    this.#now = now;
    this.#handlers = handlers;
    this.heardAt = now();
    this.transfers = new Transfers({
      send: (body) => this.send(message(FRAGMENT, body), true),
      accept: (kind, total) => handlers.accepts(kind, total),
      received: (kind, bytes) => {
        if (!this.isClosed) handlers.onTransfer(kind, bytes);
      },
    });
    if (link instanceof LinkEnd) link.on("message", this.receive, this);
    else link.on("message", (bytes) => this.receive(bytes));
    link.on("close", (reason) => this.close(reason));
  }

  send(bytes: Uint8Array, isReliable: boolean): void {
    if (this.isClosed) return;
    this.messagesSent++;
    this.bytesSent += bytes.length;
    this.link.send(bytes, isReliable);
  }

  /** Sends a message of any length, reliably. */
  sendLong(kind: number, bytes: Uint8Array): SentTransfer | undefined {
    if (this.isClosed) return undefined;
    const transfer = this.transfers.start(kind, bytes);
    this.#longest = Math.max(this.#longest, bytes.length);
    if (this.transfers.waitingBytes > MAX_WAITING + this.#longest) this.close("the other side does not read");
    return transfer;
  }

  /** Takes a message of the link. */
  receive(bytes: Uint8Array): void {
    if (this.isClosed) return;
    const now = this.#now();
    this.messagesReceived++;
    this.bytesReceived += bytes.length;
    // Fragments that were asked for come as fast as the line allows.
    const isExpected =
      bytes[0] === FRAGMENT && this.#handlers.receivesStates === true && this.transfers.isReceiving;
    if (!isExpected && ++this.#unadmitted === ADMIT_EVERY) {
      this.#unadmitted = 0;
      if (!this.#limits.admit(ADMIT_EVERY, now)) return this.end("sends too many messages");
    }
    if (bytes.length === 0 || bytes.length > MAX_MESSAGE) return this.fault("a message of a wrong size");
    this.heardAt = now;
    const type = bytes[0]!;
    if (type < 0x80) return this.#handlers.onPacket(bytes, now);
    const body = bytes.subarray(1);
    if (type !== FRAGMENT) return this.#handlers.onControl(type, body, now);
    const problem = this.transfers.receive(body);
    if (problem !== undefined) this.fault(problem);
  }

  /** Notes a message that no honest program sends. After too many, the connection ends. */
  fault(reason: string): void {
    if (this.isClosed) return;
    this.droppedMessages++;
    this.lastFault = reason;
    if (this.#limits.fault(this.#now())) this.end(`sent too many bad messages, the last one: ${reason}`);
  }

  /** Ends the connection, as the other side breaks the protocol. */
  end(reason: string): void {
    this.#close(reason, true);
  }

  close(reason: string): void {
    this.#close(reason, false);
  }

  #close(reason: string, isHostile: boolean): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.transfers.dispose();
    this.link.close(reason);
    this.#handlers.onClosed(reason, isHostile);
  }
}
