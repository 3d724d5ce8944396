import { CODE_OF_END, type RoomEnd } from "../net/room-lobby.js";
import { LinkEnd } from "../net/link-end.js";
import { Bucket } from "./rate-limit.js";
import type { CheckedLimits } from "./limits.js";
import { closeReason, expectClose, stopReading } from "./end-socket.js";
import type { RoomSchedule } from "./rooms/room-schedule.js";
import type { ServerSocket } from "./ws-package.js";

/** What the connections of a process have carried. */
export class Traffic {
  messagesIn = 0;
  messagesOut = 0;
  bytesIn = 0;
  bytesOut = 0;
}

const NORMAL = 1000;
/** How many seconds' worth of messages and bytes may come at once. */
const BURST = 4;
/** Limits are checked after this part of a second's worth, as that costs more than most messages. */
const CHUNK = 1 / 16;
/** Bytes of a WebSocket frame besides its content: a header of 2, 4 or 10, and a mask of 4 from clients. */
const headerBytes = (length: number): number => (length < 126 ? 2 : length < 65_536 ? 4 : 10);
const MASK_BYTES = 4;
const SLOW = "reads too slowly";

const OWNER = Symbol("owner");

interface OwnedSocket extends ServerSocket {
  [OWNER]: LimitedSocket;
}

/** The listener of all sockets: ws calls it with the socket as `this`. With a closure per socket, a message would touch more memory. */
function receiveForOwner(this: ServerSocket, data: Buffer, isBinary: boolean): void {
  (this as OwnedSocket)[OWNER].receive(data, isBinary);
}

/** What the sockets of a process have in common. */
export interface SocketContext {
  readonly limits: CheckedLimits;
  readonly traffic: Traffic;
  readonly now: () => number;
  /** Steps the rooms of the process. */
  readonly schedule: Pick<RoomSchedule, "stepIfDue">;
}

/** Takes the messages of a socket. */
export interface SocketHandler {
  onMessage(data: Buffer, isBinary: boolean): void;
}

/** A WebSocket of the server with limits. */
export class LimitedSocket {
  // What a message needs comes first, so that it lies together in memory.
  isClosing = false;
  readonly #handler: SocketHandler;
  readonly #traffic: Traffic;
  readonly #schedule: SocketContext["schedule"];
  /** What has arrived since the limits were checked, and how much of it makes them due. */
  #newMessages = 0;
  #newBytes = 0;
  readonly #checkMessages: number;
  readonly #checkBytes: number;
  /** Whether a message has arrived since the last look, and when that look was. */
  #hasHeard = false;
  #heardAt: number;
  readonly socket: ServerSocket;
  readonly #limits: CheckedLimits;
  readonly #now: () => number;
  readonly #messages: Bucket;
  readonly #bytes: Bucket;
  /** Whether the last ping was answered. */
  #isAlive = true;

  constructor(
    socket: ServerSocket,
    { limits, traffic, now, schedule }: SocketContext,
    handler: SocketHandler,
  ) {
    this.#handler = handler;
    this.socket = socket;
    this.#limits = limits;
    this.#traffic = traffic;
    this.#schedule = schedule;
    this.#now = now;
    this.#heardAt = now();
    this.#messages = new Bucket(limits.messages, BURST * limits.messages, this.#heardAt);
    this.#bytes = new Bucket(limits.bytes, BURST * limits.bytes, this.#heardAt);
    // Whole numbers, which V8 keeps in the object itself.
    this.#checkMessages = Math.ceil(CHUNK * limits.messages);
    this.#checkBytes = Math.ceil(CHUNK * limits.bytes);
    (socket as OwnedSocket)[OWNER] = this;
    socket.on("message", receiveForOwner);
    // They cost as much as messages. ws answers pings by itself, also for one that does not read the answers.
    const onControl = ({ length }: Buffer) => {
      this.#allows(length);
      schedule.stepIfDue();
    };
    socket.on("ping", onControl);
    socket.on("pong", (data) => {
      this.#isAlive = true;
      onControl(data);
    });
    // ws has sent a close with the right code, such as 1009 for a message that is too long.
    socket.on("error", () => {
      if (this.isClosing) return;
      this.isClosing = true;
      stopReading(socket);
    });
  }

  receive(data: Buffer, isBinary: boolean): void {
    if (!this.isClosing) {
      const { length } = data;
      this.#traffic.messagesIn++;
      this.#traffic.bytesIn += length + headerBytes(length) + MASK_BYTES;
      this.#hasHeard = true;
      if (this.#allows(length)) this.#handler.onMessage(data, isBinary);
    }
    this.#schedule.stepIfDue();
  }

  /** Ends the connection, and returns false, if what has arrived is too much. */
  #allows(length: number): boolean {
    const messages = ++this.#newMessages;
    const bytes = (this.#newBytes += length);
    if (messages < this.#checkMessages && bytes < this.#checkBytes) return true;
    this.#newMessages = this.#newBytes = 0;
    const now = this.#now();
    if (!this.#messages.take(messages, now)) this.end("limit", "sends too many messages");
    else if (!this.#bytes.take(bytes, now)) this.end("limit", "sends too many bytes");
    else if (this.#isSlow) this.end("limit", SLOW);
    else return true;
    return false;
  }

  /** Whether the client does not read what waits for it. */
  get #isSlow(): boolean {
    return this.socket.bufferedAmount > this.#limits.waitingBytes;
  }

  get bufferedAmount(): number {
    return this.socket.bufferedAmount;
  }

  /** Sends a message. Ends the connection if the client does not read. */
  send(data: Uint8Array | string): void {
    const { socket } = this;
    if (this.isClosing || socket.readyState !== 1) return;
    if (this.#isSlow) return this.end("limit", SLOW);
    const length = typeof data === "string" ? Buffer.byteLength(data) : data.length;
    this.#traffic.messagesOut++;
    this.#traffic.bytesOut += length + headerBytes(length);
    socket.send(data, { binary: typeof data !== "string", compress: false });
  }

  /** Ends the connection: `end` says why, `reason` is for a person. */
  end(end: RoomEnd, reason: string): void {
    if (this.isClosing) return;
    this.close(CODE_OF_END[end], reason);
    if (end === "limit") stopReading(this.socket);
  }

  close(code = NORMAL, reason = ""): void {
    if (this.isClosing) return;
    this.isClosing = true;
    const { socket } = this;
    // What waits for one that does not read is not sent any more.
    if (this.#isSlow) return socket.terminate();
    socket.close(code, closeReason(reason));
    expectClose(socket);
  }

  /** Looks whether the client is still there. Called every `limits.ping` milliseconds. */
  check(): void {
    if (this.isClosing) return;
    // A half-open connection: no close would ever arrive.
    if (!this.#isAlive) {
      this.isClosing = true;
      return this.socket.terminate();
    }
    const now = this.#now();
    if (this.#hasHeard) {
      this.#hasHeard = false;
      this.#heardAt = now;
    } else if (now - this.#heardAt > this.#limits.idle)
      return this.end("idle", "nothing was sent for too long");
    this.#isAlive = false;
    this.socket.ping();
  }
}

/** A link to a client, over a WebSocket of the server. */
export class SocketLink extends LinkEnd implements SocketHandler {
  readonly connection: LimitedSocket;
  /** Whether the game closed the link, and not the network. */
  isClosedByGame = false;
  readonly #endNow: (reason: string) => RoomEnd | undefined;

  /** `endNow` says why the room closes the link; undefined if the client may come back, or has left. */
  constructor(socket: ServerSocket, context: SocketContext, endNow: (reason: string) => RoomEnd | undefined) {
    super("open");
    this.#endNow = endNow;
    this.connection = new LimitedSocket(socket, context, this);
    socket.on("close", (code, reason) => {
      const isNormal = code === NORMAL || code === 1005;
      this.closed(reason.toString() || (isNormal ? "closed by the peer" : "connection lost"));
    });
  }

  onMessage(data: Buffer, isBinary: boolean): void {
    // Texts are the lobby's, and a client has nothing to say there.
    this.receivedData(isBinary ? data : undefined);
  }

  /** Ends the connection with a code that says why, and closes the link. */
  end(end: RoomEnd, reason: string): void {
    this.connection.end(end, reason);
    this.close(reason);
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    // A copy, as ws keeps a reference and the session reuses the bytes. Node has a pool for small ones.
    this.sendThrough(this.connection, Buffer.from(bytes), reliable);
  }

  protected shut(reason: string): void {
    this.isClosedByGame = !this.connection.isClosing;
    const end = this.#endNow(reason);
    if (end === undefined) this.connection.close(NORMAL, reason);
    else this.connection.end(end, reason);
  }
}
