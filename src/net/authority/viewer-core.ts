import type { AnySimulation } from "../../sim/index.js";
import type { Connection } from "./connection.js";
import { JitterBuffer } from "./jitter-buffer.js";
import type { News, Welcome } from "./messages.js";
import type { ViewerNet } from "./viewer-net.js";
import type { ViewerSettings } from "./viewer-options.js";

/** What the parts of a viewer share. The session creates it and sets all of it before anything uses it. */
export class ViewerCore {
  readonly simulation: AnySimulation;
  readonly settings: ViewerSettings;
  /** Milliseconds per tick. */
  readonly tickMs: number;
  /** Reads the time in milliseconds. */
  readonly now: () => number;
  readonly seats: readonly number[] = [];
  net!: ViewerNet;
  connection: Connection | undefined;
  /** The server's answer to the request to join. */
  welcome: Welcome | undefined;
  news: News | undefined;
  /** The tick of the server when its last news or its welcome arrived, and when that was. */
  newsTick = 0;
  newsAt = 0.5;
  /** How long the server took to answer the request to join, in milliseconds. */
  firstRoundTrip = 0.5;
  /** The viewer has a state of the server. */
  hasState = false;
  isDisposed = false;
  /** The tick of the newest state that was taken over. */
  tick = 0;
  buffer = new JitterBuffer(50);

  constructor(simulation: AnySimulation, settings: ViewerSettings, now: () => number) {
    const { rate } = simulation;
    this.simulation = simulation;
    this.settings = settings;
    this.tickMs = (1000 * rate[1]) / rate[0];
    this.now = now;
  }

  /** Forgets what was measured, as the server was paused. */
  forgetTiming(): void {
    this.buffer.restart();
  }
}
