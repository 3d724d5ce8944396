import { badValue, misuse, requireOptions, requireType } from "../../errors/index.js";
import { systemNow } from "../../platform/index.js";
import {
  peerSession,
  serverSession,
  type Link,
  type PeerSession,
  type ServerSession,
} from "../../net/index.js";
import { FixedStep, type Stepper } from "../../loop/index.js";
import { record, type Recorder, type RecordOptions } from "../../replay/index.js";
import type { AnySimulation } from "../../sim/index.js";
import { gameOfSave, recordSave } from "./room-save.js";

/**
 * Who decides in a room. `"authority"`: the server, which runs the game for clients and viewers. `"relay"`: the players, who predict
 * and correct each other; the server passes their inputs on. `"lockstep"`: the same, but every tick waits for everyone.
 */
export type RoomMode = "authority" | "relay" | "lockstep";

/** Options of a room. */
export interface RoomOptions {
  /** Who decides. Default `"authority"`. */
  readonly mode?: RoomMode | undefined;
  /** More options of the room's session: those of `serverSession`, or of `peerSession` for a relay. */
  readonly session?: Readonly<Record<string, unknown>> | undefined;
  /** The seed of the game. Default 0. */
  readonly seed?: number | string | undefined;
  /** Records the whole game, for `takeReplay`. Default false. */
  readonly replay?: RecordOptions | boolean | undefined;
  /** A save of another room, to continue its game: the bytes of `save()`, and those of `takeInputs()` appended to it. */
  readonly from?: Uint8Array | undefined;
  /** Reads the time in milliseconds. Default: `performance.now`. */
  readonly now?: (() => number) | undefined;
}

const OPTIONS = Object.keys({ mode: 1, session: 1, seed: 1, replay: 1, from: 1, now: 1 } satisfies Record<
  keyof RoomOptions,
  1
>);
const CALL = "GameRoom";
const MODES: readonly RoomMode[] = ["authority", "relay", "lockstep"];

/** Milliseconds that a room catches up on. What it is later than that is lost. */
const MAX_LATE = 250;
/** A step that begins later than this, in milliseconds, counts as late. */
const LATE = 5;

/** What a room has measured about itself. */
export class RoomStats {
  /** Steps that were taken, and those that began more than 5 ms late. */
  ticks = 0;
  lateTicks = 0;
  /** Milliseconds that were lost, as the process was busy for longer than 250 ms. */
  lostMs = 0;
}

/** A game that is hosted for others: its session, its clock, and what is kept of it. It has no sockets and no timers. */
export class GameRoom {
  readonly game: AnySimulation;
  readonly mode: RoomMode;
  readonly session: ServerSession | PeerSession;
  readonly stats = new RoomStats();
  readonly #server: ServerSession | undefined;
  readonly #links = new Set<Link>();
  readonly #replay: Recorder | undefined;
  readonly #kernel: FixedStep;
  readonly #stepper: Stepper;
  #save: Recorder | undefined;
  /** Until when the kernel was given time, in milliseconds. */
  #givenUntil: number;
  #isClosed = false;

  constructor(game: AnySimulation, options: RoomOptions = {}) {
    requireOptions(CALL, options, OPTIONS, '{ mode: "relay" }');
    const { mode = "authority", session = {}, seed, replay = false, from, now = systemNow } = options;
    if (!MODES.includes(mode))
      badValue(`${CALL}: mode`, '"authority", "relay" or "lockstep"', mode, '"authority"');
    requireType(`${CALL}: session`, session, "object", '{ down: "states" }');
    if (from !== undefined && mode !== "authority")
      badValue(`${CALL}: mode`, '"authority", as only such a room can continue a save', mode, '"authority"');
    const shared = { ...session, now, ...(seed === undefined ? {} : { seed }) };
    this.game = game;
    this.mode = mode;
    if (mode === "authority") {
      const saved = from === undefined ? {} : { from: gameOfSave(`${CALL}: from`, game, from) };
      this.#server = serverSession(game, { ...shared, ...saved });
      this.session = this.#server;
    } else {
      const window = mode === "lockstep" ? { window: 0 } : {};
      this.session = peerSession(game, {
        start: 0,
        present: "none",
        // Guests decide what there would be to warn of: they must not fill the log.
        warn: false,
        ...shared,
        ...window,
        relay: true,
        seats: [],
      });
    }
    this.#kernel = new FixedStep(game.rate);
    this.#stepper = { mayStep: () => !this.#isClosed, step: () => this.#step(), stepped() {} };
    this.#givenUntil = now();
    if (replay !== false)
      this.#replay = record(this.session, { keep: false, ...(replay === true ? {} : replay) });
  }

  get tick(): number {
    return this.session.tick;
  }
  /** The seats of the game. */
  get seats(): number {
    return this.game.players;
  }
  /** How many seats are taken. */
  get players(): number {
    let seats = 0;
    for (const peer of this.session.net.peers) if (peer.role === "playing") seats += peer.seats.length;
    return seats;
  }
  /** How many watch. */
  get watchers(): number {
    return this.session.net.peers.filter(({ role }) => role === "watching").length;
  }
  /** How many links the room has, also of those that have not joined yet. */
  get links(): number {
    return this.#links.size;
  }
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Adds a link to a player or to one who watches: what it is follows from what it asks for. */
  connect(link: Link): void {
    this.#requireOpen();
    this.#links.add(link);
    link.on("close", () => this.#links.delete(link));
    this.session.connect(link);
  }

  // Time

  /** When the next step is due, in milliseconds. */
  get dueAt(): number {
    return this.#givenUntil + this.#kernel.untilNext * 1000;
  }

  /** Moves all later steps, so that the next one is due at a time: a schedule spreads its rooms evenly. */
  dueNextAt(time: number): void {
    this.#givenUntil = time - this.#kernel.untilNext * 1000;
  }

  /** Takes the steps that are due. */
  advance(now: number): void {
    this.#requireOpen();
    const kernel = this.#kernel;
    const late = now - this.dueAt;
    if (late < 0) return;
    // Whole steps, so that rooms that step together still do.
    const lostSteps = Math.max(0, Math.ceil((late - MAX_LATE) / (kernel.dt * 1000)));
    const lost = lostSteps * kernel.dt * 1000;
    this.stats.lostMs += lost;
    this.#givenUntil = now;
    // When a step is due, exactly that step is owed; and from then on, the time since.
    // In seconds; `convert` makes units of it.
    const time = { real: (late - lost) / 1000 };
    kernel.convert(time);
    kernel.owed = kernel.step + time.real;
    kernel.run(this.#stepper);
  }

  #step(): void {
    const { step, owed, second } = this.#kernel;
    if ((owed - step) / second > LATE / 1000) this.stats.lateTicks++;
    this.stats.ticks++;
    this.session.advance();
  }

  // What is kept

  /** Whether the room can be saved and continued elsewhere: only a server knows the whole game at each moment. */
  get canSave(): boolean {
    return this.#server !== undefined;
  }

  /**
   * Returns the room as it is now: the state, the seed, and whose seats are kept. From now on, `takeInputs` returns what must be appended
   * to it. It contains the tokens of the players: keep it secret.
   */
  save(): Uint8Array {
    this.#requireOpen();
    if (!this.#server)
      misuse(
        "unsupported",
        "GameRoom.save",
        `a room with mode ${JSON.stringify(this.mode)} cannot be saved, as the players decide`,
        'Use mode: "authority"',
      );
    this.#save?.stop();
    this.#save = recordSave(this.#server);
    return this.#save.take();
  }

  /** Returns the inputs of the ticks since the last `save` or `takeInputs`, to append to the save. */
  takeInputs(): Uint8Array {
    return this.#save?.take() ?? new Uint8Array();
  }

  /** Returns what the replay of the game has grown by. All pieces in a row are a file, even if the last ones are missing. */
  takeReplay(): Uint8Array {
    return this.#replay?.take() ?? new Uint8Array();
  }

  // The end

  /** Ends the game: tells everybody, closes all links and frees what the room holds. `takeReplay` then returns the end of the file. */
  close(reason = "the room is closed"): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#replay?.stop();
    this.#save?.stop();
    // Before the session closes them with a reason of its own.
    this.#closeLinks(reason);
    this.session.dispose();
  }

  /** Ends a room whose step did not return: nothing of its session can be used any more. */
  abandon(reason: string): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closeLinks(reason);
  }

  #closeLinks(reason: string): void {
    for (const link of this.#links) {
      try {
        link.close(reason);
      } catch {
        // A listener of a session that hangs: the link is closed all the same.
      }
    }
    this.#links.clear();
  }

  #requireOpen(): void {
    if (this.#isClosed) misuse("disposed", CALL, "the room is closed", "Create a new one");
  }
}
