import { ROOM_LOST } from "../net/keep-joined.js";
import { COLYSEUS_MESSAGE } from "../net/colyseus-link.js";
import type { AnySimulation } from "../sim/index.js";
import { ENDED, MAY_REJOIN, type ColyseusRoomClass, type ColyseusServerClient } from "./colyseus-types.js";
import type { GameRooms } from "./game-rooms.js";
import type { HostedRoomOptions } from "./game-rooms-options.js";
import { HostedRoom, type RoomShell } from "./hosted-room.js";

/** Milliseconds between two looks of Colyseus at its clock. There is no state of Colyseus that it would have to send. */
const CLOCK_EVERY = 250;
/** The longest options of a room, as they are written to Redis with each save. Anybody who may create rooms can choose them. */
const MAX_OPTIONS = 4096;
/** The internal state of a room that is neither being created nor disposed of. */
const CREATED = 1;
/** Milliseconds for which a lost room tells those who come back why. */
const TELL_LOST_FOR = 15_000;

/** The class of rooms that host a game. */
export function roomClass(
  base: ColyseusRoomClass,
  rooms: GameRooms,
  game: AnySimulation,
  options: HostedRoomOptions,
): ColyseusRoomClass {
  const { watchers = 0, reconnect = 20, maxMessagesPerSecond = 2000 } = options;

  return class GameColyseusRoom extends base {
    override patchRate: number | null = CLOCK_EVERY;
    override maxClients = game.players + watchers;
    override maxMessagesPerSecond = maxMessagesPerSecond;
    #hosted: HostedRoom | undefined;
    /** Why nobody can join: the room of another process is lost. */
    #lost: string | undefined;
    #isReleased = false;
    #isOpen: boolean | undefined;

    async onCreate(createOptions: Record<string, unknown> = {}): Promise<void> {
      const inherited = rooms.takeInherited(this.roomId);
      if (inherited && "lost" in inherited) {
        this.#lost = inherited.lost;
        // Only those who know its id come, and the first of them must not end it.
        void this.setPrivate(true);
        this.autoDispose = false;
        setTimeout(() => void this.disconnect(), TELL_LOST_FOR).unref();
        return;
      }
      const json = JSON.stringify(createOptions);
      if (json.length > MAX_OPTIONS)
        throw new Error(`the options of a room may have up to ${MAX_OPTIONS} characters as JSON`);
      const from = inherited?.save;
      const internals = this as unknown as Internals;
      const shell: RoomShell = {
        end: (reason, mayRejoin) => this.#end(reason, mayRejoin),
        review: () => this.#tellOpen(),
        get listing() {
          return internals._internalState === CREATED ? internals._listing : undefined;
        },
      };
      const start = {
        id: this.roomId,
        about: { name: this.roomName, options: json },
        seed: options.seed ?? crypto.getRandomValues(new Uint32Array(1))[0]!,
        from,
        hasReplay: rooms.replays !== undefined && options.replay !== false,
      };
      const create = () => new HostedRoom(game, options, start, shell, rooms.counters);
      // To continue a save, many steps may be due.
      const hosted = from === undefined ? rooms.schedule.call(create) : create();
      this.#hosted = hosted;
      if (start.hasReplay) hosted.replay = rooms.replays!.open(this.roomId, hosted.room.tick);
      this.onMessageBytes(COLYSEUS_MESSAGE, (client, bytes) => {
        try {
          hosted.deliver(client, bytes);
        } catch (error) {
          // Of a listener of yours. Colyseus would shut the whole process down.
          rooms.settings.onProblem("a listener to messages threw", error);
        }
        rooms.schedule.stepIfDue();
      });
      // The first save, before anybody plays: from here on, the room survives its process, or clients hear that it is lost.
      await rooms.saver?.begin(hosted).catch((error: unknown) => {
        rooms.settings.onProblem("a room could not be saved", error);
      });
      rooms.hosted.set(hosted.room, hosted);
      rooms.schedule.add(hosted.room);
    }

    onJoin(client: ColyseusServerClient, _options?: unknown, _auth?: unknown): void {
      if (this.#lost !== undefined) throw Object.assign(new Error(this.#lost), { code: ROOM_LOST });
      this.#hosted!.connect(client);
    }

    onReconnect(client: ColyseusServerClient): void {
      this.#hosted?.connect(client);
    }

    onDrop(client: ColyseusServerClient, code = 0): void {
      // No place is kept for one that has not taken part, or that Colyseus has thrown out.
      const mayReturn = (this.#hosted?.dropped(client) ?? false) && (code < 4000 || code === MAY_REJOIN);
      if (!mayReturn || reconnect === 0) return;
      // Rejected when the time is over; onLeave follows.
      this.allowReconnection(client, reconnect).catch(() => {});
    }

    async onLeave(client: ColyseusServerClient, _code?: number): Promise<void> {
      const hosted = this.#hosted;
      hosted?.dropped(client);
      // Before Colyseus writes to a listing that may belong to another process now.
      if (hosted) await rooms.saver?.checkOwner(hosted).catch(() => {});
    }

    /** Colyseus shuts down. Rooms with authority move to another process, if there is one; the others end. */
    onBeforeShutdown(): void {
      if (this.#hosted?.room.canSave && rooms.saver) {
        this.#isReleased = true;
        void this.disconnect(MAY_REJOIN);
      } else this.#end("the server shuts down", false);
    }

    async onDispose(): Promise<void> {
      const hosted = this.#hosted;
      if (!hosted) return;
      const { room } = hosted;
      rooms.schedule.remove(room);
      try {
        if (hosted.isForeign || !rooms.saver) return;
        if (this.#isReleased && !room.isClosed) await rooms.saver.release(hosted);
        else await rooms.saver.remove(hosted);
      } catch (error) {
        rooms.settings.onProblem("a room could not be removed from Redis", error);
      } finally {
        hosted.close("the room is closed");
        rooms.hosted.delete(room);
        rooms.counters.ticks += room.stats.ticks;
        rooms.counters.lateTicks += room.stats.lateTicks;
        rooms.counters.lostMs += room.stats.lostMs;
        await hosted.replay?.end(room.takeReplay());
      }
    }

    #end(reason: string, mayRejoin: boolean): void {
      const code = mayRejoin ? MAY_REJOIN : ENDED;
      // The listing now belongs to the process that has taken the room over.
      if (this.#hosted?.isForeign) (this as unknown as Internals)._listing.roomId = undefined;
      this.#hosted?.close(reason, code);
      void this.disconnect(code);
    }

    /** Says in the listing whether a seat is free, so that players are not sent to rooms with room for watchers only. */
    #tellOpen(): void {
      if (watchers === 0 || !this.#hosted) return;
      const isOpen = this.#hosted.room.players < game.players;
      if (isOpen === this.#isOpen) return;
      this.#isOpen = isOpen;
      const { metadata } = this as unknown as { metadata?: object };
      void this.setMetadata({ ...metadata, open: isOpen });
    }
  } as unknown as ColyseusRoomClass;
}

/** What Colyseus does not declare for others. */
interface Internals {
  readonly _internalState: number;
  readonly _listing: { roomId: string | undefined };
}
