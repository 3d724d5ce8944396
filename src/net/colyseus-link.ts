import { requireFunction, requireType } from "../errors/index.js";
import { LinkEnd } from "./link-end.js";
import type { Link } from "./link.js";

/** The type of the Colyseus messages that carry a link: a number, as that takes one byte. Use names for your own messages. */
export const COLYSEUS_MESSAGE = 84;

/** The part of a room of the Colyseus SDK (`@colyseus/sdk`) that a link uses. */
export interface ColyseusRoom {
  /** The id of the room. */
  readonly roomId: string;
  /** What `client.reconnect` needs to return to the same place in this room. */
  readonly reconnectionToken: string;
  /** The connection of the room. */
  readonly connection: { readonly isOpen: boolean };
  /** Listens for a lost connection, which the SDK may restore. */
  onDrop(listener: (code: number, reason?: string) => void): unknown;
  /** Listens for the end of the connection, with its code and reason. */
  onLeave(listener: (code: number, reason?: string) => void): unknown;
  /** How the SDK itself tries to restore a lost connection. */
  readonly reconnection: { enabled: boolean };
  /** Listens to messages of one type. Returns the function that stops it. */
  onMessage(type: number, listener: (bytes: Uint8Array) => void): () => void;
  /** Sends bytes as a message of a type. */
  sendBytes(type: number, bytes: Uint8Array): void;
  /** Leaves the room. */
  leave(consented?: boolean): Promise<unknown>;
}

/** A link over a room of Colyseus. */
export interface ColyseusLink extends Link {
  /** The room that carries it. */
  readonly room: ColyseusRoom;
  /** The code with which Colyseus ended the connection; undefined while it is open, or if this side closed the link. */
  readonly endCode: number | undefined;
}

/**
 * Creates a link over a room that the Colyseus SDK has joined, for `clientSession`, `viewerSession` or `peerSession`. The room must be
 * one of `tickwise/colyseus`. Create the link right after the room, before any message arrives.
 *
 * Messages travel over the room's WebSocket, so both kinds arrive in order. Unreliable ones are dropped while more than 16 KB wait to
 * be sent. A link ends with its connection. `keepJoined` joins the room again, and gives the session a new link.
 */
export function colyseusLink(room: ColyseusRoom): ColyseusLink {
  requireType("colyseusLink: room", room, "object", 'await client.joinOrCreate("arena")');
  requireFunction("colyseusLink: room.sendBytes", room.sendBytes, 'await client.joinOrCreate("arena")');
  return new ColyseusClientLink(room);
}

class ColyseusClientLink extends LinkEnd implements ColyseusLink {
  readonly room: ColyseusRoom;
  endCode: number | undefined;
  readonly #socket: { readonly bufferedAmount: number; send(bytes: Uint8Array): void };
  readonly #unlisten: () => void;

  constructor(room: ColyseusRoom) {
    super(room.connection.isOpen ? "open" : "closed");
    this.room = room;
    this.endCode = undefined;
    this.#socket = {
      get bufferedAmount() {
        return bufferedAmountOf(room.connection);
      },
      // While it is not open, the SDK would keep a reference to memory that it reuses.
      send: (bytes) => {
        if (room.connection.isOpen) room.sendBytes(COLYSEUS_MESSAGE, bytes);
      },
    };
    this.#unlisten = room.onMessage(COLYSEUS_MESSAGE, (bytes) => this.receivedData(bytes));
    // These stay, as the SDK removes another listener if the one to remove is gone already.
    room.onDrop((code, reason) => this.#ended(code, reason));
    room.onLeave((code, reason) => this.#ended(code, reason));
  }

  protected transmit(bytes: Uint8Array, reliable: boolean): void {
    this.sendThrough(this.#socket, bytes, reliable);
  }

  protected shut(): void {
    this.#unlisten();
    // A connection that is closed already cannot be left.
    this.room.leave().catch(() => {});
  }

  #ended(code: number, reason: string | undefined): void {
    if (this.state === "closed") return;
    this.endCode = code;
    this.#unlisten();
    this.closed(reason || (code >= 4000 ? "closed by the server" : "connection lost"));
  }
}

/** Bytes that wait in the socket of a connection of the SDK, which does not report them itself. */
function bufferedAmountOf(connection: object): number {
  const { transport } = connection as { transport?: { ws?: { bufferedAmount?: number } } };
  return transport?.ws?.bufferedAmount ?? 0;
}
