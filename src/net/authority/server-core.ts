import type { AnySimulation } from "../../sim/index.js";
import type { Run } from "../../sim/run.js";
import type { SeatLog } from "../seat-log.js";
import type { ServerClient } from "./server-client.js";
import type { ServerNet } from "./server-net.js";
import type { ServerSettings } from "./server-options.js";

/** Milliseconds that a loop catches up on at most. */
const MAX_CAUGHT_UP = 250;

/** What the parts of a server share. The session creates it and sets all of it before anything uses it. */
export class ServerCore {
  readonly simulation: AnySimulation;
  readonly settings: ServerSettings;
  /** Milliseconds per tick. */
  readonly tickMs: number;
  /** Reads the time in milliseconds. */
  readonly now: () => number;
  /** Everyone who was welcomed. */
  readonly clients: ServerClient[] = [];
  /** How many of them are viewers. */
  viewers = 0;
  run!: Run;
  /**
   * The tick that is stepped next: that of the run. Packets need it, and the run lies elsewhere in memory. It is counted here: the run
   * reads its tick as a double, which V8 keeps outside of the object, and so it would keep all ticks that are computed from it.
   */
  tick = 0;
  /** What all seats did. */
  log!: SeatLog;
  net!: ServerNet;
  seed: number | string;
  isPaused = false;
  isDisposed = false;
  // A fraction, so that V8 keeps the field as a double and new values are not allocated.
  /** When the last step was taken. */
  #steppedAt = 0.5;

  constructor(simulation: AnySimulation, settings: ServerSettings, seed: number | string, now: () => number) {
    const { rate } = simulation;
    this.simulation = simulation;
    this.settings = settings;
    this.tickMs = (1000 * rate[1]) / rate[0];
    this.seed = seed;
    this.now = now;
    this.#steppedAt = now();
  }

  /** Whether anybody watches who gets states, whatever players get. */
  get hasViewers(): boolean {
    return this.viewers > 0;
  }

  onStep(): void {
    this.tick++;
    this.#steppedAt = this.now();
  }

  /** Returns the ticks until the next step, if the server keeps time. After a long standstill, a loop does not catch up on all of it. */
  untilNext(now: number): number {
    return 1 - Math.min(MAX_CAUGHT_UP, now - this.#steppedAt) / this.tickMs;
  }
}

/** Sends clients what they need to follow the game. */
export interface Downstream {
  /** A client was welcomed, or has lost track: it needs the whole state. */
  begin(client: ServerClient): void;
  /** A client acknowledges less than it was sent as a whole state. */
  acknowledgedLess?(client: ServerClient, ack: number): void;
  /** A tick was stepped. Called before anybody can join at the state after it. */
  stepped?(tick: number): void;
  /** Whether there is anything to send after this step. */
  readonly isDue: boolean;
  /** Sends what is new. Called after each step, and while the game is paused. */
  send(client: ServerClient, now: number): void;
  /** All clients were sent what is new. */
  sentAll?(): void;
}
