import { alarmsOf, realScheduler, type Alarm, type Scheduler } from "../../platform/index.js";
import type { GameRoom } from "./game-room.js";
import { Lateness } from "./lateness.js";
import { Watchdog } from "./watchdog.js";

/** Options of `RoomSchedule`. */
export interface ScheduleOptions {
  /** Milliseconds after which a step that does not return is ended, and its room with it. Default 2000. 0 for no limit. */
  readonly hangAfter?: number | undefined;
  /** Called with a room that was ended, as its step did not return, or threw. The room is no longer in the schedule. */
  readonly onFailed?: ((room: GameRoom, reason: string, error?: unknown) => void) | undefined;
  /** The clock and the timers. Default: those of the platform. */
  readonly scheduler?: Scheduler | undefined;
}

/**
 * Into how many parts a tick is divided, in the order in which they are used. All rooms of a part are stepped together: more parts make
 * rooms more punctual under load, but each costs a wake-up and a watched call.
 */
const PARTS = 4;
const PART_ORDER = [0, 2, 1, 3];
/** Rooms of a part before the next one is used: few rooms are done soon anyway. */
const FILL = 8;
/** Milliseconds before they are due at which steps are taken, so that a timer that rings a little early is not set again. */
const EARLY = 0.25;

/** `stepIfDue` reads the clock in every fourth call only: that takes a good part of the time of a packet. */
const LOOK_EVERY = 4;

/** Steps all rooms of a process, with one timer. Rooms are spread over the tick, so that their work is, too. */
export class RoomSchedule {
  /** How late the steps of all rooms began, until somebody resets it. */
  readonly lateness = new Lateness();
  readonly #rooms = new Set<GameRoom>();
  /** The rooms, and when each is due: to look through one array is faster than to ask every room. A removed room leaves a gap until the round ends. */
  #row: (GameRoom | undefined)[] = [];
  #dueAt: number[] = [];
  #hasGaps = false;
  /** When the next step is due. */
  #nextDue = Infinity;
  /** Until then, packets come first: they get half of the time that the last round of steps took. */
  #packetsUntil = -Infinity;
  readonly #options: ScheduleOptions;
  readonly #scheduler: Scheduler;
  readonly #watchdog: Watchdog;
  readonly #alarm: Alarm;
  readonly #startedAt: number;
  /** The part of each room, and how many rooms each part has. */
  readonly #parts = new WeakMap<GameRoom, number>();
  readonly #sizes = PART_ORDER.map(() => 0);
  #current: GameRoom | undefined;
  #isStepping = false;
  #isStopped = false;
  #calls = 0;

  constructor(options: ScheduleOptions = {}) {
    const { hangAfter = 2000, scheduler = realScheduler } = options;
    this.#options = options;
    this.#scheduler = scheduler;
    this.#watchdog = new Watchdog(hangAfter);
    this.#alarm = alarmsOf(scheduler)(() => this.#stepDueRooms());
    this.#startedAt = scheduler.now();
  }

  get rooms(): ReadonlySet<GameRoom> {
    return this.#rooms;
  }

  /** Calls a function that runs the game outside of its steps, such as `init`. Throws if it does not return. */
  call<T>(run: () => T): T {
    let result: T;
    if (!this.#watchdog.run(() => void (result = run()))) throw new Error("init of the game did not return");
    return result!;
  }

  /** Adds a room. Its first step is due within a tick. */
  add(room: GameRoom): void {
    const { rate } = room.game;
    const tickMs = (1000 * rate[1]) / rate[0];
    // Rooms with the same rate share the same few moments.
    const part = this.#nextPart();
    this.#parts.set(room, part);
    this.#sizes[part]!++;
    const first = this.#startedAt + (part * tickMs) / PARTS;
    room.dueNextAt(first + Math.ceil((this.#scheduler.now() - first) / tickMs) * tickMs);
    this.#rooms.add(room);
    this.#row.push(room);
    this.#dueAt.push(room.dueAt);
    if (!this.#isStepping) this.#setAlarm();
  }

  remove(room: GameRoom): void {
    if (!this.#rooms.delete(room)) return;
    this.#sizes[this.#parts.get(room)!]!--;
    const at = this.#row.indexOf(room);
    this.#row[at] = undefined;
    this.#dueAt[at] = Infinity;
    this.#hasGaps = true;
  }

  /** Returns the first part with few rooms, or else the one with the fewest. */
  #nextPart(): number {
    const sizes = this.#sizes;
    return (
      PART_ORDER.find((part) => sizes[part]! < FILL) ??
      PART_ORDER.reduce((best, part) => (sizes[part]! < sizes[best]! ? part : best))
    );
  }

  /** Steps nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#alarm.end();
  }

  /**
   * Takes the steps that are due. Call it after each packet: the event loop reads from all sockets before it looks at its timers, so
   * under load, steps would wait for packets. If steps need all of the time, packets still get a third of it.
   */
  stepIfDue(): void {
    if (++this.#calls % LOOK_EVERY !== 0) return;
    const now = this.#scheduler.now();
    if (now >= this.#nextDue && now >= this.#packetsUntil) this.#stepDueRooms();
  }

  #stepDueRooms(): void {
    if (this.#isStopped || this.#isStepping) return;
    const start = this.#scheduler.now();
    this.#isStepping = true;
    try {
      // If a room hangs, the others that are due come first in the next round.
      for (let hasRun = false; !hasRun;) {
        this.#current = undefined;
        hasRun = this.#watchdog.run(() => this.#stepRoomsDueBy(start + EARLY));
        if (!hasRun && this.#current)
          this.#fail(this.#current, "a step of the game did not return, so the room was ended");
      }
    } finally {
      this.#isStepping = false;
      const end = this.#scheduler.now();
      this.#packetsUntil = end + (end - start) / 2;
      this.#setAlarm();
    }
  }

  #stepRoomsDueBy(until: number): void {
    const row = this.#row;
    const dueAt = this.#dueAt;
    for (let i = 0; i < row.length; i++) {
      const due = dueAt[i]!;
      if (due > until) continue;
      const room = row[i]!;
      if (room.isClosed) {
        this.remove(room);
        continue;
      }
      this.#current = room;
      const now = this.#scheduler.now();
      this.lateness.add(now - due);
      try {
        room.advance(Math.max(now, until));
      } catch (error) {
        this.#fail(room, "a step of the game threw an error, so the room was ended", error);
      }
      if (row[i]) dueAt[i] = room.dueAt;
    }
    this.#current = undefined;
  }

  #fail(room: GameRoom, reason: string, error?: unknown): void {
    this.remove(room);
    room.abandon(reason);
    this.#options.onFailed?.(room, reason, error);
  }

  #setAlarm(): void {
    if (this.#hasGaps) this.#closeGaps();
    let due = Infinity;
    for (const time of this.#dueAt) if (time < due) due = time;
    this.#nextDue = due;
    if (due < Infinity && !this.#isStopped) this.#alarm.set(Math.max(0, due - this.#scheduler.now()));
  }

  #closeGaps(): void {
    this.#hasGaps = false;
    this.#row = [...this.#rooms];
    this.#dueAt = this.#row.map((room) => room!.dueAt);
  }
}
