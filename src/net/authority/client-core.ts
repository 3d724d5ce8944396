import type { AnySimulation } from "../../sim/index.js";
import type { Rollback } from "../rollback.js";
import type { ClientNet } from "./client-net.js";
import type { ClientSettings } from "./client-options.js";
import type { Connection } from "./connection.js";
import { Lead } from "./lead.js";
import type { News, Welcome } from "./messages.js";
import { ServerClock } from "./server-clock.js";

/** What the parts of a client share. The session creates it and sets all of it before anything uses it. */
export class ClientCore {
  readonly simulation: AnySimulation;
  readonly settings: ClientSettings;
  /** Milliseconds per tick. */
  readonly tickMs: number;
  /** Reads the time in milliseconds. */
  readonly now: () => number;
  readonly clock: ServerClock;
  readonly lead: Lead;
  rollback!: Rollback;
  net!: ClientNet;
  connection: Connection | undefined;
  /** The server's answer to the request to join. */
  welcome: Welcome | undefined;
  news: News | undefined;
  /** The tick of the server when its last news or its welcome arrived, and when that was. */
  newsTick = 0;
  newsAt = 0.5;
  /** How long the server took to answer the request to join, in milliseconds. */
  firstRoundTrip = 0.5;
  /** The client has a state of the server. */
  hasState = false;
  isDisposed = false;

  constructor(simulation: AnySimulation, settings: ClientSettings, now: () => number) {
    const { rate } = simulation;
    this.simulation = simulation;
    this.settings = settings;
    this.tickMs = (1000 * rate[1]) / rate[0];
    this.now = now;
    this.clock = new ServerClock(this.tickMs);
    this.lead = new Lead(this.tickMs);
  }

  get seats(): readonly number[] {
    return this.welcome?.seats ?? [];
  }

  get tick(): number {
    return this.rollback.tick;
  }

  /** Forgets what was measured, as the link is new or the server was paused. */
  forgetTiming(): void {
    this.clock.reset();
    this.lead.reset();
  }

  /** Returns the tick of the server by its last news alone. They were sent half a round trip before they arrived. */
  tickByNews(now: number): number {
    if (this.news?.isPaused === true) return this.newsTick;
    return this.newsTick + (now - this.newsAt + this.roundTrip / 2) / this.tickMs;
  }

  /** Milliseconds to the server and back. */
  get roundTrip(): number {
    return this.clock.isKnown ? this.clock.roundTrip : this.firstRoundTrip;
  }
}
