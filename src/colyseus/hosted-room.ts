import type { AnySimulation } from "../sim/index.js";
import { GameRoom } from "../server/rooms/game-room.js";
import { ClientLink, type Traffic } from "./client-link.js";
import type { ColyseusServerClient } from "./colyseus-types.js";
import type { ReplayFile } from "./replay-files.js";
import type { RoomAbout } from "./room-store.js";
import type { HostedRoomOptions } from "./game-rooms-options.js";

/** What a room of Colyseus must do when its game needs it. */
export interface RoomShell {
  /** Ends the room, as its game has failed, or as another process has taken it over. */
  end(reason: string, mayRejoin: boolean): void;
  /** Called about once per second. */
  review(): void;
  /** What Colyseus lists about the room; undefined while the room is being created or disposed of. */
  readonly listing: object | undefined;
}

/** How a room begins. */
export interface HostedStart {
  readonly id: string;
  readonly about: RoomAbout;
  readonly seed: number | string;
  /** The save of a room that another process hosted. */
  readonly from: Uint8Array | undefined;
  readonly hasReplay: boolean;
}

/** A game in a room of Colyseus, and the links of its clients. */
export class HostedRoom {
  readonly id: string;
  readonly about: RoomAbout;
  readonly room: GameRoom;
  readonly shell: RoomShell;
  replay: ReplayFile | undefined;
  /** Whether the next write must be a whole save, and when the last one was. */
  needsSave = true;
  savedAt = 0;
  /** When Redis last agreed that the room belongs to this process. */
  ownedAt = -Infinity;
  /** Whether another process now owns the room, or may. */
  isForeign = false;
  readonly #links = new Map<string, ClientLink>();
  readonly #traffic: Traffic;

  constructor(
    game: AnySimulation,
    options: HostedRoomOptions,
    { id, about, seed, from, hasReplay }: HostedStart,
    shell: RoomShell,
    traffic: Traffic,
  ) {
    this.id = id;
    this.about = about;
    this.shell = shell;
    this.#traffic = traffic;
    // Some more than Colyseus lets in, as a client may come back before its old connection is found to be dead.
    const maxClients = 2 * (game.players + (options.watchers ?? 0));
    this.room = new GameRoom(game, {
      mode: options.mode,
      session: {
        ...((options.mode ?? "authority") === "authority" ? { maxClients } : {}),
        ...options.session,
      },
      ...(from === undefined ? { seed } : { from }),
      replay: hasReplay ? (options.replay ?? true) : false,
    });
    // Tokens of players who have just joined must be in the save.
    const { net } = this.room.session;
    if ("clients" in net) net.on("client", () => (this.needsSave = true));
  }

  /** Connects a client, also one that comes back over a new connection. */
  connect(client: ColyseusServerClient): void {
    this.#links.get(client.sessionId)?.end("replaced by a newer connection");
    const link = new ClientLink(client, this.#traffic);
    this.#links.set(client.sessionId, link);
    this.room.connect(link);
  }

  /** Takes a message of a client. */
  deliver(client: ColyseusServerClient, bytes: Uint8Array): void {
    this.#links.get(client.sessionId)?.deliver(bytes);
  }

  /** The connection of a client is gone. Returns whether it took part in the game, and the room has not thrown it out. */
  dropped(client: ColyseusServerClient): boolean {
    const link = this.#links.get(client.sessionId);
    if (!link || this.room.isClosed) return false;
    this.#links.delete(client.sessionId);
    if (link.state === "closed") return !link.isEnded;
    const { net } = this.room.session;
    const before = net.peers.length;
    link.end("connection lost");
    return net.peers.length < before;
  }

  /** Closes the game. With `closeCode`, clients get that code. */
  close(reason: string, closeCode?: number): void {
    if (closeCode !== undefined) for (const link of this.#links.values()) link.closeCode = closeCode;
    this.room.close(reason);
    this.#links.clear();
  }
}
