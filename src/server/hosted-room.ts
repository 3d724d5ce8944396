import { randomInt } from "node:crypto";
import type { RoomEnd, RoomGreeting } from "../net/room-lobby.js";
import type { AnySimulation } from "../sim/index.js";
import { keyOfToken, newToken } from "./codes.js";
import type { Objection } from "./handshake.js";
import type { CheckedLimits } from "./limits.js";
import { GameRoom } from "./rooms/game-room.js";
import type { CheckedServerOptions } from "./options.js";
import type { SavedRoom } from "./saves.js";
import { SocketLink, type SocketContext } from "./socket-link.js";
import type { ServerSocket } from "./ws-package.js";

/** Somebody who plays, or who may come back. */
interface Member {
  readonly token: string;
  link: SocketLink | undefined;
  /** When the connection was lost. */
  goneAt: number;
}

/** Reasons of a session for closing a link whose player may come back. */
const MAY_RETURN = ["timeout", "replaced by a newer link"];
/** The reason of a session for closing the link of a player who has left. */
const LEFT = "left";
/** Of how many players that were sent away a room knows why. */
const MAX_SENT_AWAY = 100;

/** What a room shares with the others of its process. */
export interface RoomContext {
  readonly options: CheckedServerOptions;
  readonly sockets: SocketContext;
  /** The number of players has changed. */
  onChange(room: HostedRoom): void;
}

/** A room with its members: who may come in, and who may come back. */
export class HostedRoom {
  readonly id: string;
  readonly code: string;
  readonly isPublic: boolean;
  readonly room: GameRoom;
  readonly #context: RoomContext;
  /** By the key of the token. */
  readonly #members = new Map<string, Member>();
  readonly #watchers = new Set<SocketLink>();
  /** Why the game sent players away, by the key of the token. */
  readonly #sentAway = new Map<string, string>();
  #emptySince: number;
  /** Whether members have come or gone since the last save. */
  isChanged = true;

  constructor(
    game: AnySimulation,
    { id, code, isPublic }: { readonly id: string; readonly code: string; readonly isPublic: boolean },
    context: RoomContext,
    saved?: { readonly room: SavedRoom; readonly game: Uint8Array },
  ) {
    const { options } = context;
    const { now } = context.sockets;
    const { mode, session, seedOf, limits, replays } = options;
    this.id = id;
    this.code = code;
    this.isPublic = isPublic;
    this.#context = context;
    this.#emptySince = now();
    this.room = new GameRoom(game, {
      mode,
      session: {
        ...(mode === "authority" ? { maxClients: maxClients(game.players, limits) } : {}),
        ...session,
      },
      seed: seedOf ? seedOf() : randomInt(2 ** 31),
      replay: replays !== undefined,
      now,
      ...(saved ? { from: saved.game } : {}),
    });
    // They have as long as anybody who has just been lost.
    for (const token of saved?.room.tokens ?? [])
      this.#members.set(keyOfToken(token), { token, link: undefined, goneAt: now() });
  }

  /** How many more may play. */
  get free(): number {
    return Math.max(0, this.room.seats - Math.max(this.#members.size, this.room.players));
  }
  get connections(): number {
    return this.#links().length;
  }

  /** Whether somebody is in the room, or may come back. */
  get isWanted(): boolean {
    return this.#members.size > 0 || this.#watchers.size > 0;
  }

  #links(): SocketLink[] {
    const links = [...this.#members.values()].flatMap(({ link }) => link ?? []);
    return [...links, ...this.#watchers];
  }

  /** Returns why nobody may come in with this token; undefined if they may. */
  objection(watch: boolean, token: string | undefined): Objection | undefined {
    if (watch)
      return this.#watchers.size < this.#context.options.limits.watchers
        ? undefined
        : { end: "full", reason: "too many watch this room already" };
    if (token !== undefined) {
      const key = keyOfToken(token);
      if (this.#members.has(key)) return undefined;
      const sentAway = this.#sentAway.get(key);
      const reason =
        sentAway === undefined
          ? "the token is wrong or has expired"
          : `the game has sent this player away: ${sentAway}`;
      return { end: "not-allowed", reason };
    }
    return this.free > 0 ? undefined : { end: "full", reason: "the room is full" };
  }

  /** Lets somebody in against whom there is no objection. */
  admit(socket: ServerSocket, watch: boolean, token: string | undefined): void {
    const { options, sockets } = this.#context;
    // The connections of a room that is closed in order have been ended before.
    const link = new SocketLink(socket, sockets, (reason) => {
      if (this.room.isClosed) return "failed";
      return reason === LEFT || MAY_RETURN.includes(reason) ? undefined : "rejected";
    });
    const own = watch || token === undefined ? newToken() : token;
    const greeting: RoomGreeting = {
      room: this.id,
      code: this.code,
      token: own,
      expires: watch ? 0 : options.keepSeat / 1000,
      mode: this.room.mode,
      players: this.room.seats,
    };
    link.connection.send(JSON.stringify(greeting));
    if (watch) {
      this.#watchers.add(link);
      link.on("close", () => {
        this.#watchers.delete(link);
        this.#onLeft();
      });
    } else this.#seat(link, own);
    this.room.connect(link);
    this.#context.onChange(this);
  }

  #seat(link: SocketLink, token: string): void {
    const key = keyOfToken(token);
    const member = this.#members.get(key) ?? { token, link: undefined, goneAt: 0 };
    const old = member.link;
    member.link = link;
    this.#members.set(key, member);
    this.isChanged = true;
    link.on("close", (reason) => {
      // A newer connection has taken its place.
      if (member.link !== link) return;
      member.link = undefined;
      member.goneAt = this.#context.sockets.now();
      // The player left, or was sent away.
      if (link.isClosedByGame && !MAY_RETURN.includes(reason)) {
        this.#members.delete(key);
        if (reason !== LEFT && this.#sentAway.size < MAX_SENT_AWAY) this.#sentAway.set(key, reason);
      }
      this.isChanged = true;
      this.#onLeft();
    });
    old?.close("replaced by a newer connection");
  }

  #onLeft(): void {
    if (this.connections === 0) this.#emptySince = this.#context.sockets.now();
    this.#context.onChange(this);
  }

  /** Forgets players who did not come back in time. Returns whether the room has been empty for too long. */
  sweep(): boolean {
    const { options, sockets } = this.#context;
    const time = sockets.now();
    for (const [key, { link, goneAt }] of this.#members)
      if (!link && time - goneAt >= options.keepSeat) {
        this.#members.delete(key);
        this.isChanged = true;
        this.#context.onChange(this);
      }
    return this.connections === 0 && time - this.#emptySince >= options.limits.empty;
  }

  /** Looks whether the clients are still there. */
  check(): void {
    for (const link of this.#links()) link.connection.check();
  }

  saved(attempts = 0): SavedRoom {
    const { id, code, isPublic } = this;
    const tokens = [...this.#members.values()].map(({ token }) => token);
    return { id, code, isPublic, tokens, attempts };
  }

  /** Closes all connections, and then the room. */
  end(end: RoomEnd, reason: string): void {
    for (const link of this.#links()) link.end(end, reason);
    this.room.close(reason);
  }
}

/** Places for all seats, for those who watch, and for newer connections of players whose old ones are dead. */
const maxClients = (players: number, { watchers }: CheckedLimits): number =>
  Math.min(100_000, Math.max(64, 2 * players + watchers));
