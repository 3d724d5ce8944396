import { READY, type ColyseusMatchMaker } from "./colyseus-types.js";
import type { GameRoomsSettings } from "./game-rooms-options.js";
import type { RoomCounters } from "./room-metrics.js";
import { RELEASED, type ClaimedRoom, type RoomStore } from "./room-store.js";

/** What the guard asks of the rooms of this process. */
export interface GuardedRooms {
  /** Whether this process can host rooms of that name. */
  knows(name: string): boolean;
  /** Continues a room of another process. Rejects if that is not possible. */
  restore(room: ClaimedRoom): Promise<void>;
  /** Tells the clients of a room that is lost why. */
  announceLost(room: ClaimedRoom, reason: string): Promise<void>;
  /** Lists all rooms of this process in Redis again. */
  listAll(): Promise<void>;
  /** What Colyseus lists about the rooms of this process, by id. */
  listings(): ReadonlyMap<string, object>;
}

/** Milliseconds after an outage of Redis in which no process counts as dead: all of them must reconnect first. */
const GRACE = 5000;
/** Rooms that are taken over at the same time. */
const AT_ONCE = 4;
/** Milliseconds after a restored room for which its listing is looked after all the time, and those between two looks later. */
const LOOK_AFTER = 10_000;
const LOOK_EVERY = 5000;

/**
 * Says that this process lives, and continues the rooms of processes that have died.
 *
 * A process is dead if its heart has not beaten for `deadAfter`, and it no longer listens to its channel: the kernel closes the
 * connections of a process that is killed. One that hangs still listens, and counts as dead only after `stalledAfter`. What it still
 * writes after that is refused, so that no room exists twice for long.
 */
export class ProcessGuard {
  readonly #store: RoomStore;
  readonly #matchMaker: ColyseusMatchMaker;
  readonly #rooms: GuardedRooms;
  readonly #settings: GameRoomsSettings;
  readonly #counters: RoomCounters;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #silentSince = new Map<string, number>();
  #hasBeaten = false;
  #sureFrom = 0;
  #lookAfterUntil = 0;
  #lookedAt = 0;

  constructor(
    store: RoomStore,
    matchMaker: ColyseusMatchMaker,
    rooms: GuardedRooms,
    settings: GameRoomsSettings,
    counters: RoomCounters,
  ) {
    this.#store = store;
    this.#matchMaker = matchMaker;
    this.#rooms = rooms;
    this.#settings = settings;
    this.#counters = counters;
    // Apart, as restoring many rooms may take longer than a heart may stand still.
    this.#timers = [
      this.#repeat(() => this.#beat()),
      this.#repeat(async () => {
        if (this.#hasBeaten && performance.now() >= this.#sureFrom) await this.#lookForDead();
      }),
    ];
  }

  stop(): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  /** Calls a function again and again, but not before the last call has ended. */
  #repeat(call: () => Promise<void>): NodeJS.Timeout {
    let isBusy = false;
    const round = async () => {
      if (isBusy || this.#matchMaker.state !== READY) return;
      isBusy = true;
      try {
        await call();
      } catch (error) {
        this.#counters.problems++;
        this.#sureFrom = performance.now() + GRACE;
        this.#settings.onProblem("Redis does not answer, or answered with an error", error);
      }
      isBusy = false;
    };
    return setInterval(() => void round(), this.#settings.deadAfter / 5).unref();
  }

  async #beat(): Promise<void> {
    const { processId, stats } = this.#matchMaker;
    const started = performance.now();
    const isKnown = await this.#store.beat(processId, this.#settings.deadAfter);
    const isSlow = performance.now() - started > this.#settings.deadAfter;
    if (!isKnown && this.#hasBeaten) {
      // Redis has lost its memory, or this process was silent for long. Both ways, others may not know its rooms any more.
      this.#sureFrom = performance.now() + GRACE;
      this.#lookAfterUntil = performance.now() + LOOK_AFTER;
      await this.#rooms.listAll();
      await stats.persist(true);
      // Those rooms, too, that host no games of ours.
      await this.#matchMaker.restoreMissingRoomCaches();
    } else if (isSlow) {
      this.#sureFrom = performance.now() + GRACE;
    }
    this.#hasBeaten = true;
    const now = performance.now();
    if (now < this.#lookAfterUntil || now - this.#lookedAt > LOOK_EVERY) await this.#lookAfterListings();
  }

  /** Repairs listings that were lost with Redis, or that a process has overwritten that was taken for dead. */
  async #lookAfterListings(): Promise<void> {
    const { driver, processId } = this.#matchMaker;
    this.#lookedAt = performance.now();
    const listings = this.#rooms.listings();
    const found = await driver.findByIds([...listings.keys()]);
    for (const [id, listing] of listings)
      // A room that has just ended must not be listed again.
      if (found.get(id)?.processId !== processId && this.#rooms.listings().has(id))
        await driver.persist(listing as never, true);
  }

  async #lookForDead(): Promise<void> {
    const { processId, presence } = this.#matchMaker;
    const { all, beating } = await this.#store.processes();
    const silent = all.filter((id) => id !== processId && !beating.has(id));
    for (const id of this.#silentSince.keys()) if (!silent.includes(id)) this.#silentSince.delete(id);
    if (silent.length > 0) {
      const now = performance.now();
      const listening = new Set(await presence.channels("p:*"));
      for (const id of silent) {
        const since = this.#silentSince.get(id) ?? now;
        this.#silentSince.set(id, since);
        const isStalled = now - since + this.#settings.deadAfter >= this.#settings.stalledAfter;
        if ((!listening.has(`p:${id}`) && listening.has(`p:${processId}`)) || isStalled)
          await this.#inherit(id);
      }
    }
    await this.#takeRoomsOf(RELEASED);
  }

  /** Continues the rooms of a dead process. All others do so at the same time, so that each gets a part. */
  async #inherit(dead: string): Promise<void> {
    const { processId, driver, stats } = this.#matchMaker;
    const turn = await this.#store.bury(dead, processId);
    if (turn === "theirs") return;
    if (turn === "mine") {
      // First of all, so that nobody waits for answers of the dead process.
      await stats.excludeProcess(dead);
      await driver.cleanup?.(dead);
      await this.#store.buried(dead);
    }
    const left = await this.#takeRoomsOf(dead);
    if (left === 0) await this.#store.forget(dead);
  }

  /** Takes over the rooms of a process, one by one. Returns how many of them this process cannot host. */
  async #takeRoomsOf(dead: string): Promise<number> {
    const { processId } = this.#matchMaker;
    const ids = await this.#store.roomsOf(dead);
    const takeNext = async (): Promise<void> => {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        const name = await this.#store.nameOf(id);
        if (name === undefined) await this.#store.unlist(dead, id);
        else if (this.#rooms.knows(name)) {
          const room = await this.#store.claim(dead, processId, id);
          if (room) await this.#restore(room);
        }
      }
    };
    // Most of the time passes with waiting for Redis. Few at a time, so that other processes get their part.
    await Promise.all(Array.from({ length: AT_ONCE }, takeNext));
    return (await this.#store.roomsOf(dead)).length;
  }

  async #restore(room: ClaimedRoom): Promise<void> {
    this.#lookAfterUntil = performance.now() + LOOK_AFTER;
    if (room.save.length > 0) {
      try {
        await this.#rooms.restore(room);
        this.#counters.restoredRooms++;
        return;
      } catch (error) {
        this.#settings.onProblem(`room ${room.id} could not be continued`, error);
      }
    }
    this.#counters.lostRooms++;
    const reason =
      room.save.length > 0
        ? "the room is lost: its server died, and no other could continue it"
        : "the room is lost: its server died, and rooms of this mode are not saved";
    await this.#rooms.announceLost(room, reason);
  }
}
