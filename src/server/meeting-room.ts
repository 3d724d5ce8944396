import { readLobbyText, type RoomEnd } from "../net/room-lobby.js";
import type { CheckedLimits } from "./limits.js";
import { LimitedSocket, type Traffic } from "./socket-link.js";
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
  readonly #limits: CheckedLimits;
  readonly #traffic: Traffic;
  readonly #now: () => number;
  #nextId = 1;
  #quietSince: number;

  constructor(code: string, limits: CheckedLimits, traffic: Traffic, now: () => number) {
    this.code = code;
    // A member may be silent while it waits for others.
    this.#limits = { ...limits, messages: MESSAGES, bytes: BYTES, idle: MAX_QUIET };
    this.#traffic = traffic;
    this.#now = now;
    this.#quietSince = now();
  }

  get members(): number {
    return this.#members.size;
  }
  get isFull(): boolean {
    return this.#members.size >= this.#limits.members;
  }
  /** Whether it has been empty, or nobody has said anything, for too long. */
  get isOver(): boolean {
    const quiet = this.#now() - this.#quietSince;
    return quiet > (this.#members.size === 0 ? this.#limits.empty : MAX_QUIET);
  }

  /** Adds a member, and tells the others. */
  admit(socket: ServerSocket): void {
    const id = this.#nextId++;
    const member = new LimitedSocket(socket, this.#limits, this.#traffic, this.#now, {
      onMessage: (data, isBinary) => this.#receive(id, member, isBinary ? undefined : data.toString()),
    });
    this.#quietSince = this.#now();
    member.send(JSON.stringify({ code: this.code, id, members: [...this.#members.keys()] }));
    this.#tellAll({ joined: id });
    this.#members.set(id, member);
    socket.on("close", () => {
      this.#members.delete(id);
      this.#quietSince = this.#now();
      this.#tellAll({ left: id });
    });
  }

  #receive(from: number, member: LimitedSocket, text: string | undefined): void {
    const { to, data } = readLobbyText(text) ?? {};
    if (!Number.isSafeInteger(to) || typeof data !== "object" || data === null)
      return member.end("limit", "sent something else than a signal");
    this.#quietSince = this.#now();
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
