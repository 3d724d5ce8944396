import type { RoomEnd } from "../net/room-lobby.js";

/** Somebody who wants to come in, as the process that runs the room must know. It can be sent to another process. */
export interface Ticket {
  /** The number of the connection. */
  readonly id: number;
  /** `"meeting"`: for peer-to-peer games. */
  readonly kind: "room" | "meeting";
  readonly code: string;
  /** The room does not exist yet: create it. For quick play, also if the room with this code is full by now. */
  readonly create: { readonly code: string; readonly isPublic: boolean } | undefined;
  readonly watch: boolean;
  readonly token: string | undefined;
  /** The headers of the handshake, without secrets. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What others must know about a room. */
export interface Listing {
  readonly kind: Ticket["kind"];
  readonly id: string;
  readonly code: string;
  readonly isPublic: boolean;
  /** How many more may play. */
  readonly free: number;
}

/** What a host tells the process that listens. */
export interface HostEvents {
  /** A room was created, or has another number of free seats. */
  listed(listing: Listing): void;
  /** A room has ended. */
  unlisted(code: string): void;
  /** A connection has ended. `refused`: why it was not let in. */
  left(id: number, refused?: RoomEnd): void;
}
