import type { RoomEnd } from "../net/room-lobby.js";
import type { Objection } from "./handshake.js";
import { MeetingRoom } from "./meeting-room.js";
import type { SocketContext } from "./socket-link.js";
import type { HostEvents, Ticket } from "./ticket.js";
import type { ServerSocket } from "./ws-package.js";

/** All meetings of a process. */
export class Meetings {
  readonly #meetings = new Map<string, MeetingRoom>();
  readonly #sockets: SocketContext;
  readonly #events: HostEvents;

  constructor(sockets: SocketContext, events: HostEvents) {
    this.#sockets = sockets;
    this.#events = events;
  }

  get size(): number {
    return this.#meetings.size;
  }

  /** Lets somebody in, or returns why not. */
  admit(ticket: Ticket, socket: ServerSocket): Objection | undefined {
    const meeting = this.#meetings.get(ticket.code) ?? this.#create(ticket);
    if (!meeting) return { end: "unknown-room", reason: "no room has this code" };
    if (meeting.isFull) return { end: "full", reason: "the room is full" };
    meeting.admit(socket);
    return undefined;
  }

  #create({ create }: Ticket): MeetingRoom | undefined {
    if (!create) return undefined;
    const { code } = create;
    const meeting = new MeetingRoom(code, this.#sockets);
    this.#meetings.set(code, meeting);
    this.#events.listed({ kind: "meeting", id: "", code, isPublic: false, free: 1 });
    return meeting;
  }

  /** Ends meetings in which nothing happens. `isCheck`: looks whether members are still there. */
  look(isCheck: boolean): void {
    for (const [code, meeting] of this.#meetings) {
      if (isCheck) meeting.check();
      if (!meeting.isOver) continue;
      meeting.end("idle", "nothing happened for too long");
      this.#meetings.delete(code);
      this.#events.unlisted(code);
    }
  }

  end(end: RoomEnd, reason: string): void {
    for (const meeting of this.#meetings.values()) meeting.end(end, reason);
    this.#meetings.clear();
  }
}
