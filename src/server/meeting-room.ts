import { readLobbyText, type RoomEnd } from "../net/room-lobby.js";
import { LimitedSocket, type SocketContext } from "./socket-link.js";
import type { ServerSocket } from "./ws-package.js";

/** Milliseconds without a message, after which a meeting ends. */
const MAX_QUIET = 15 * 60_000;
/** Messages and bytes per second of a member: offers and answers are short, and few. */
const MESSAGES = 20;
const BYTES = 32_768;
/** The longest message, in bytes. */
export const MAX_SIGNAL = 4096;

/** Where the peers of a game exchange offers and answers. It carries texts from one to another, and does not look into them. */
export class MeetingRoom {
  readonly code: string;
  readonly #members = new Map<number, LimitedSocket>();
  readonly #sockets: SocketContext;
  #nextId = 1;
  #quietSince: number;

  constructor(code: string, sockets: SocketContext) {
    this.code = code;
    // A member may be silent while it waits for others.
    const limits = { ...sockets.limits, messages: MESSAGES, bytes: BYTES, idle: MAX_QUIET };
    this.#sockets = { ...sockets, limits };
    this.#quietSince = sockets.now();
  }

  get members(): number {
    return this.#members.size;
  }
  get isFull(): boolean {
    return this.#members.size >= this.#sockets.limits.members;
  }
  /** Whether it has been empty, or nobody has said anything, for too long. */
  get isOver(): boolean {
    const quiet = this.#sockets.now() - this.#quietSince;
    return quiet > (this.#members.size === 0 ? this.#sockets.limits.empty : MAX_QUIET);
  }

  /** Adds a member, and tells the others. */
  admit(socket: ServerSocket): void {
    const id = this.#nextId++;
    const member = new LimitedSocket(socket, this.#sockets, {
      onMessage: (data, isBinary) => this.#receive(id, member, isBinary ? undefined : data.toString()),
    });
    this.#quietSince = this.#sockets.now();
    member.send(JSON.stringify({ code: this.code, id, members: [...this.#members.keys()] }));
    this.#tellAll({ joined: id });
    this.#members.set(id, member);
    socket.on("close", () => {
      this.#members.delete(id);
      this.#quietSince = this.#sockets.now();
      this.#tellAll({ left: id });
    });
  }

  #receive(from: number, member: LimitedSocket, text: string | undefined): void {
    const { to, data } = readLobbyText(text) ?? {};
    if (!Number.isSafeInteger(to) || typeof data !== "object" || data === null)
      return member.end("limit", "sent something else than a signal");
    this.#quietSince = this.#sockets.now();
    // One that has just left: nobody has to know.
    this.#members.get(to as number)?.send(JSON.stringify({ from, data }));
  }

  #tellAll(message: object): void {
    const text = JSON.stringify(message);
    for (const member of this.#members.values()) member.send(text);
  }

  check(): void {
    for (const member of this.#members.values()) member.check();
  }

  end(end: RoomEnd, reason: string): void {
    for (const member of this.#members.values()) member.end(end, reason);
  }
}
