import { requireType } from "../errors/index.js";
import type { GameRoom } from "../server/rooms/game-room.js";
import { Lateness } from "../server/rooms/lateness.js";
import { RoomSchedule } from "../server/rooms/room-schedule.js";
import type { AnySimulation } from "../sim/index.js";
import type { Colyseus, ColyseusRoomClass } from "./colyseus-types.js";
import {
  checkRoomOptions,
  gameRoomsSettings,
  type GameRoomsOptions,
  type GameRoomsSettings,
  type HostedRoomOptions,
} from "./game-rooms-options.js";
import type { HostedRoom } from "./hosted-room.js";
import { ProcessGuard } from "./process-guard.js";
import { ReplayFiles } from "./replay-files.js";
import { roomClass } from "./room-class.js";
import { metricsText, RoomCounters } from "./room-metrics.js";
import { RoomSaver } from "./room-saver.js";
import { RoomStore, type ClaimedRoom } from "./room-store.js";

/** How a room of another process begins in this one: with its save, or with the reason why it is lost. */
export type Inherited = { readonly save: Uint8Array } | { readonly lost: string };

const CALL = "gameRooms";
const MODULE = "the module @colyseus/core";
/** Milliseconds between two writes of replays, and between two looks at how late steps were. */
const REVIEW_EVERY = 1000;

/**
 * Hosts games in rooms of Colyseus. Create one per process, with the module that your server uses:
 *
 * ```js
 * import * as colyseus from "@colyseus/core";
 * const rooms = gameRooms(colyseus, { redis: new Redis(url), replays: "replays" });
 * new colyseus.Server({ transport, driver, presence }).define("arena", rooms.classFor(game));
 * ```
 */
export function gameRooms<const C extends Colyseus>(
  colyseus: C,
  options: GameRoomsOptions = {},
): GameRooms<C["Room"]> {
  requireType(`${CALL}: colyseus`, colyseus, "object", MODULE);
  requireType(`${CALL}: colyseus.Room`, colyseus.Room, "function", MODULE);
  requireType(`${CALL}: colyseus.matchMaker`, colyseus.matchMaker, "object", MODULE);
  return new GameRooms<C["Room"]>(colyseus, gameRoomsSettings(CALL, options));
}

/** The rooms of a process that host games. */
export class GameRooms<Base extends ColyseusRoomClass = ColyseusRoomClass> {
  /** @internal */
  readonly settings: GameRoomsSettings;
  /** @internal */
  readonly schedule: RoomSchedule;
  /** How late the steps of the last second began. @internal */
  readonly lateness = new Lateness();
  /** @internal */
  readonly counters = new RoomCounters();
  /** @internal */
  readonly hosted = new Map<GameRoom, HostedRoom>();
  /** @internal */
  readonly replays: ReplayFiles | undefined;
  /** @internal */
  readonly saver: RoomSaver | undefined;
  readonly #colyseus: Colyseus;
  readonly #guard: ProcessGuard | undefined;
  readonly #reviews: NodeJS.Timeout;
  readonly #classes = new Set<unknown>();
  readonly #inherited = new Map<string, Inherited>();

  /** @internal */
  constructor(colyseus: Colyseus, settings: GameRoomsSettings) {
    const { redis, prefix, replays, maxReplayBytes, hangAfter } = settings;
    const { matchMaker } = colyseus;
    this.settings = settings;
    this.#colyseus = colyseus;
    if (replays !== undefined) this.replays = new ReplayFiles(replays, maxReplayBytes);
    this.schedule = new RoomSchedule({
      hangAfter,
      onFailed: (room, reason, error) => this.#failed(room, reason, error),
    });
    this.#reviews = setInterval(() => this.#review(), REVIEW_EVERY).unref();
    if (redis === undefined) return;
    const store = new RoomStore(redis, prefix);
    const rooms = { [Symbol.iterator]: () => this.hosted.values() };
    this.saver = new RoomSaver(store, rooms, () => matchMaker.processId, settings, this.counters);
    this.#guard = new ProcessGuard(
      store,
      matchMaker,
      {
        knows: (name) => this.#knows(name),
        restore: (room) => this.#create(room, { save: room.save }),
        announceLost: async (room, lost) => {
          await this.#create(room, { lost });
          await store.remove(matchMaker.processId, room.id);
        },
        listAll: () => this.saver!.listAll(),
        listings: () => this.#listings(),
      },
      settings,
      this.counters,
    );
  }

  /**
   * Creates the class of rooms that host a game, for `server.define(name, …)`. Extend it to add what your rooms need, such as
   * `static onAuth`. Call the methods of the class if you override them.
   */
  classFor(game: AnySimulation, options: HostedRoomOptions = {}): Base {
    requireType("GameRooms.classFor: game", game, "object", "simulation({ … })");
    checkRoomOptions("GameRooms.classFor", options);
    const created = roomClass(this.#colyseus.Room, this as never, game, options);
    this.#classes.add(created);
    return created as Base;
  }

  /** Returns the figures of all rooms of this process, as text in the format of Prometheus. Serve it as `/metrics`. */
  metrics(): string {
    return metricsText(this.hosted.values(), this.lateness, this.counters);
  }

  /** Stops all timers. Rooms are closed by Colyseus: call it after `server.gracefullyShutdown(false)`. */
  stop(): void {
    clearInterval(this.#reviews);
    this.#guard?.stop();
    this.saver?.stop();
    this.schedule.stop();
  }

  /** Returns what a room that is just created inherits from another process. @internal */
  takeInherited(roomId: string): Inherited | undefined {
    const inherited = this.#inherited.get(roomId);
    this.#inherited.delete(roomId);
    return inherited;
  }

  #listings(): Map<string, object> {
    const listings = new Map<string, object>();
    for (const { id, shell, isForeign } of this.hosted.values()) {
      const { listing } = shell;
      if (listing && !isForeign) listings.set(id, listing);
    }
    return listings;
  }

  #knows(name: string): boolean {
    // Or a class that extends one of ours.
    for (let c: unknown = this.#colyseus.matchMaker.getRoomClass(name); c; c = Object.getPrototypeOf(c))
      if (this.#classes.has(c)) return true;
    return false;
  }

  async #create({ id, name, options }: ClaimedRoom, inherited: Inherited): Promise<void> {
    this.#inherited.set(id, inherited);
    try {
      await this.#colyseus.matchMaker.handleCreateRoom(name, JSON.parse(options), undefined, id);
    } finally {
      this.#inherited.delete(id);
    }
  }

  #review(): void {
    this.lateness.reset();
    this.lateness.include(this.schedule.lateness);
    this.schedule.lateness.reset();
    for (const { replay, room, shell } of this.hosted.values()) {
      replay?.write(room.takeReplay());
      shell.review();
    }
  }

  #failed(room: GameRoom, reason: string, error: unknown): void {
    this.counters.failedRooms++;
    this.hosted.get(room)?.shell.end(reason, false);
    this.settings.onProblem(reason, error);
  }
}
