import type { AnySimulation } from "../../sim/index.js";
import type { Rollback } from "../rollback.js";
import type { ClientNet } from "./client-net.js";
import type { ClientSettings } from "./client-options.js";
import { GuestCore } from "./guest-core.js";
import { Lead } from "./lead.js";
import { LockstepPace } from "./lockstep-pace.js";
import { ServerClock } from "./server-clock.js";

/** What the parts of a client share. */
export class ClientCore extends GuestCore {
  readonly settings: ClientSettings;
  readonly clock: ServerClock;
  readonly lead: Lead;
  /** Only in lockstep. */
  readonly lockstepPace: LockstepPace;
  rollback!: Rollback;
  net!: ClientNet;

  constructor(simulation: AnySimulation, settings: ClientSettings, now: () => number) {
    super(simulation, now);
    this.settings = settings;
    this.clock = new ServerClock(this.tickMs);
    this.lead = new Lead(this.tickMs);
    this.lockstepPace = new LockstepPace(this.tickMs);
  }

  get seats(): readonly number[] {
    return this.welcome?.seats ?? [];
  }

  get tick(): number {
    return this.rollback.tick;
  }

  forgetTiming(): void {
    this.clock.reset();
    this.lead.reset();
    this.lockstepPace.reset();
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
