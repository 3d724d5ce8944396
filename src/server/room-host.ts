import type { Duplex } from "node:stream";
import { systemNow, systemWall } from "../platform/index.js";
import { MAX_MESSAGE } from "../net/index.js";
import { SUBPROTOCOL, type RoomEnd } from "../net/room-lobby.js";
import type { AnySimulation } from "../sim/index.js";
import { newRoomId } from "./codes.js";
import { completeHandshake, refuseSocket, RESTARTING, type Objection } from "./handshake.js";
import { HostedRoom, type RoomContext } from "./hosted-room.js";
import type { HostStats } from "./host-stats.js";
import { logTo, textOf, type Log } from "./log.js";
import { MAX_SIGNAL } from "./meeting-room.js";
import { Meetings } from "./meetings.js";
import type { CheckedServerOptions } from "./options.js";
import { Overload } from "./overload.js";
import { Recordings } from "./recordings.js";
import type { GameRoom } from "./rooms/game-room.js";
import { RoomSchedule } from "./rooms/room-schedule.js";
import { RoomFiles } from "./room-files.js";
import { Saves } from "./saves.js";
import { Traffic } from "./socket-link.js";
import type { HostEvents, Ticket } from "./ticket.js";
import { loadHandshakes, type Handshakes, type ServerSocket } from "./ws-package.js";

/** Milliseconds between two looks at a room. */
const EVERY = 1000;
/** Milliseconds between two parts of that work, and how long a part may take. */
const PART_EVERY = 20;
const MAX_PART = 2;
const CALL = "roomServer";

const STOPS = "the server stops";

/** A room, and what is written about it. */
interface Entry {
  readonly hosted: HostedRoom;
  readonly files: RoomFiles;
  lookedAt: number;
  /** When the clients were last asked for a sign of life. */
  checkedAt: number;
}

/** The rooms of one process. */
export class RoomHost {
  readonly #game: AnySimulation;
  readonly #options: CheckedServerOptions;
  readonly #events: HostEvents;
  readonly #log: Log;
  readonly #rooms = new Map<string, Entry>();
  readonly #meetings: Meetings;
  readonly #schedule: RoomSchedule;
  readonly #overload: Overload;
  readonly #traffic = new Traffic();
  readonly #roomHandshakes: Handshakes;
  readonly #meetingHandshakes: Handshakes;
  readonly #recordings: Recordings | undefined;
  readonly #saves: Saves | undefined;
  readonly #timer: NodeJS.Timeout;
  #checkedAt: number;
  #sampledAt: number;
  /** Figures of rooms that have ended. */
  readonly #past = { ticks: 0, lateTicks: 0, lostMs: 0 };
  readonly #counts = { connections: 0, created: 0, resumed: 0, ended: 0, failed: 0 };
  readonly #context: RoomContext;
  #isClosed = false;

  private constructor(
    game: AnySimulation,
    options: CheckedServerOptions,
    events: HostEvents,
    log: Log,
    parts: {
      readonly handshakes: (maxPayload: number, subprotocol: string) => Handshakes;
      readonly recordings: Recordings | undefined;
      readonly saves: Saves | undefined;
    },
  ) {
    const { limits, hangAfter } = options;
    this.#game = game;
    this.#options = options;
    this.#events = events;
    this.#log = log;
    this.#recordings = parts.recordings;
    this.#saves = parts.saves;
    this.#roomHandshakes = parts.handshakes(MAX_MESSAGE, SUBPROTOCOL);
    this.#meetingHandshakes = parts.handshakes(MAX_SIGNAL, SUBPROTOCOL);
    this.#overload = new Overload(limits.lateMs, limits.memory);
    this.#schedule = new RoomSchedule({
      hangAfter,
      onFailed: (room, reason, error) => this.#onFailed(room, reason, error),
    });
    const sockets = { limits, traffic: this.#traffic, now: systemNow, schedule: this.#schedule };
    this.#meetings = new Meetings(sockets, events);
    this.#context = { options, sockets, onChange: (room) => this.#list(room) };
    this.#checkedAt = this.#sampledAt = systemNow();
    this.#timer = setInterval(() => this.#look(), PART_EVERY);
  }

  static async open(
    game: AnySimulation,
    options: CheckedServerOptions,
    events: HostEvents,
  ): Promise<RoomHost> {
    const log = logTo(options.log, systemWall);
    const { replays, saves, limits } = options;
    return new RoomHost(game, options, events, log, {
      handshakes: await loadHandshakes(CALL),
      recordings: replays === undefined ? undefined : await Recordings.open(replays, limits.replayBytes, log),
      saves: saves === undefined ? undefined : Saves.open(saves, log),
    });
  }

  /** Why no new rooms can be taken; undefined if they can. */
  get overload(): string | undefined {
    return this.#overload.reason;
  }
  /** Rooms, meetings included. */
  get rooms(): number {
    return this.#rooms.size + this.#meetings.size;
  }

  // Who comes in

  /** Completes a handshake, and lets the client into its room; or says why not. */
  accept(ticket: Ticket, socket: Duplex, head: Uint8Array): void {
    const handshakes = ticket.kind === "room" ? this.#roomHandshakes : this.#meetingHandshakes;
    let refused: RoomEnd | undefined;
    let isAdmitted = false;
    this.#counts.connections++;
    const onOpen = (ws: ServerSocket) => {
      const objection = this.#admit(ticket, ws);
      refused = objection?.end;
      if (objection) refuseSocket(ws, objection);
      else isAdmitted = true;
    };
    completeHandshake(handshakes, ticket.headers, socket, head, onOpen, () => {
      this.#counts.connections--;
      if (isAdmitted) this.#events.left(ticket.id);
      else this.miss(ticket, refused);
    });
  }

  /** Somebody did not come in: the seat that was taken for them is free again. */
  miss({ id, code }: Ticket, refused?: RoomEnd): void {
    const hosted = this.#rooms.get(code)?.hosted;
    if (hosted) this.#list(hosted);
    this.#events.left(id, refused);
  }

  /** Lets somebody in, or returns why not. */
  #admit(ticket: Ticket, socket: ServerSocket): Objection | undefined {
    if (this.#isClosed) return RESTARTING;
    if (ticket.kind === "meeting") return this.#meetings.admit(ticket, socket);
    const { watch, token, create } = ticket;
    let hosted = this.#rooms.get(ticket.code)?.hosted;
    let objection = hosted?.objection(watch, token);
    if (create && (!hosted || objection?.end === "full")) {
      const problem = this.#overload.reason;
      if (problem !== undefined)
        return { end: "overloaded", reason: `the server takes no new rooms: ${problem}` };
      hosted = this.#create(create);
      if (!hosted) return { end: "failed", reason: "the game could not be started" };
      objection = hosted.objection(watch, token);
    }
    if (!hosted) return { end: "unknown-room", reason: "no room has this code" };
    if (!objection) hosted.admit(socket, watch, token);
    return objection;
  }

  #create({ code, isPublic }: { readonly code: string; readonly isPublic: boolean }): HostedRoom | undefined {
    const id = newRoomId();
    try {
      const create = () => new HostedRoom(this.#game, { id, code, isPublic }, this.#context);
      const hosted = this.#add(this.#schedule.call(create));
      this.#counts.created++;
      this.#log("info", "room created", { room: id, public: isPublic });
      return hosted;
    } catch (error) {
      this.#counts.failed++;
      this.#log("error", "room failed", { room: id, reason: textOf(error) });
      return undefined;
    }
  }

  #add(hosted: HostedRoom): HostedRoom {
    const now = systemNow();
    this.#rooms.set(hosted.code, {
      hosted,
      files: new RoomFiles(hosted, this.#recordings, this.#saves, systemWall(), this.#options.saveEvery),
      lookedAt: now,
      checkedAt: now,
    });
    this.#schedule.add(hosted.room);
    this.#list(hosted);
    return hosted;
  }

  #list({ id, code, isPublic, free }: HostedRoom): void {
    this.#events.listed({ kind: "room", id, code, isPublic, free });
  }

  // What goes on

  #onFailed(room: GameRoom, reason: string, error: unknown): void {
    const entry = [...this.#rooms.values()].find(({ hosted }) => hosted.room === room);
    if (!entry) return;
    this.#counts.failed++;
    const { id } = entry.hosted;
    this.#log("error", "room failed", { room: id, reason: error === undefined ? reason : textOf(error) });
    void this.#forget(entry);
  }

  /**
   * Looks after rooms whose last look was a second ago, for some milliseconds at most: no room must be late as others are written to
   * the disk.
   */
  #look(): void {
    const now = systemNow();
    if (now - this.#sampledAt >= EVERY) this.#sample(now);
    for (const [code, entry] of this.#rooms) {
      // They are in the order of their last look.
      if (now - entry.lookedAt < EVERY) return;
      entry.lookedAt = now;
      this.#rooms.delete(code);
      this.#rooms.set(code, entry);
      this.#lookAfter(entry, now);
      if (systemNow() - now > MAX_PART) return;
    }
  }

  /** Ends a room that is empty, writes its files, looks whether its clients are still there. */
  #lookAfter(entry: Entry, now: number): void {
    const { hosted, files } = entry;
    try {
      if (hosted.sweep()) return this.#end(entry, "ended", "nobody was in the room");
      if (now - entry.checkedAt >= this.#options.limits.ping) {
        entry.checkedAt = now;
        hosted.check();
      }
      files.write(now);
    } catch (error) {
      // A step that throws is the schedule's business. This is a bug of ours, or of a game that breaks its own session.
      this.#log("error", "room failed", { room: hosted.id, reason: textOf(error) });
      this.#counts.failed++;
      hosted.room.abandon("the room failed");
      void this.#forget(entry);
    }
  }

  /** Once per second: looks after the process as a whole, and after meetings. */
  #sample(now: number): void {
    this.#sampledAt = now;
    this.#overload.sample(this.#schedule.lateness);
    const isCheck = now - this.#checkedAt >= this.#options.limits.ping;
    if (isCheck) {
      this.#checkedAt = now;
      void this.#recordings?.recount();
    }
    this.#meetings.look(isCheck);
  }

  #end(entry: Entry, end: RoomEnd, reason: string): void {
    const { hosted } = entry;
    this.#counts.ended++;
    this.#log("info", "room ended", { room: hosted.id, reason, ticks: hosted.room.stats.ticks });
    hosted.end(end, reason);
    void this.#forget(entry);
  }

  /** Forgets a room that has ended. Resolves when its files are finished. */
  async #forget({ hosted, files }: Entry, keepsSave = false): Promise<void> {
    const { stats } = hosted.room;
    this.#past.ticks += stats.ticks;
    this.#past.lateTicks += stats.lateTicks;
    this.#past.lostMs += stats.lostMs;
    this.#rooms.delete(hosted.code);
    this.#schedule.remove(hosted.room);
    this.#events.unlisted(hosted.code);
    await files.finish(keepsSave);
  }

  // Other processes

  /** Continues a room that another process has saved. Resolves with whether it runs. */
  async resume(id: string): Promise<boolean> {
    const saved = await this.#saves?.load(id);
    if (!saved || this.#rooms.has(saved.room.code)) return false;
    try {
      const { code, isPublic } = saved.room;
      const hosted = this.#add(new HostedRoom(this.#game, { id, code, isPublic }, this.#context, saved));
      this.#counts.resumed++;
      this.#log("info", "room resumed", { room: id, tick: hosted.room.tick });
      return true;
    } catch (error) {
      this.#counts.failed++;
      await this.#saves!.setAside(id, textOf(error));
      return false;
    }
  }

  /** Continues all saved rooms. */
  async resumeAll(): Promise<void> {
    await this.#saves?.resumeAll((id) => this.resume(id));
  }

  /** Ends all rooms, saves those that can be continued, and tells the clients to come back. Resolves when all is written. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#schedule.stop();
    const work = [...this.#rooms.values()].map(async (entry) => {
      const { hosted } = entry;
      const isSaved = this.#saves !== undefined && hosted.isWanted && (await this.#saveLast(entry));
      if (isSaved) hosted.end(RESTARTING.end, RESTARTING.reason);
      else hosted.end("ended", STOPS);
      const { id, room } = hosted;
      if (isSaved) this.#log("info", "room saved", { room: id, tick: room.tick });
      else this.#log("info", "room ended", { room: id, reason: STOPS, tick: room.tick });
      await this.#forget(entry, isSaved);
    });
    this.#meetings.end(RESTARTING.end, RESTARTING.reason);
    await Promise.all(work);
    this.#overload.stop();
  }

  /** Saves a room as the process ends. Returns false if the game throws: all others are saved nevertheless. */
  async #saveLast({ hosted, files }: Entry): Promise<boolean> {
    try {
      await files.save();
      return true;
    } catch (error) {
      this.#log("error", "save failed", { room: hosted.id, reason: textOf(error) });
      return false;
    }
  }

  stats(): HostStats {
    const { messagesIn, messagesOut, bytesIn, bytesOut } = this.#traffic;
    const { connections, created, resumed, ended, failed } = this.#counts;
    const { lateP50, lateP99, lateMax, loopDelay } = this.#overload;
    const past = { ...this.#past };
    let players = 0;
    let watchers = 0;
    for (const { hosted } of this.#rooms.values()) {
      const { room } = hosted;
      players += room.players;
      watchers += room.watchers;
      past.ticks += room.stats.ticks;
      past.lateTicks += room.stats.lateTicks;
      past.lostMs += room.stats.lostMs;
    }
    return {
      rooms: this.#rooms.size,
      meetings: this.#meetings.size,
      players,
      watchers,
      connections,
      ...past,
      messagesIn,
      messagesOut,
      bytesIn,
      bytesOut,
      roomsCreated: created,
      roomsResumed: resumed,
      roomsEnded: ended,
      roomsFailed: failed,
      replayBytes: this.#recordings?.bytes ?? 0,
      memory: process.memoryUsage.rss(),
      overloaded: this.#overload.reason === undefined ? 0 : 1,
      lateP50,
      lateP99,
      lateMax,
      loopDelay,
    };
  }
}
