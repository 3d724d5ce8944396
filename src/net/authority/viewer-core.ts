import type { AnySimulation } from "../../sim/index.js";
import { GuestCore } from "./guest-core.js";
import { JitterBuffer } from "./jitter-buffer.js";
import type { ViewerNet } from "./viewer-net.js";
import type { ViewerSettings } from "./viewer-options.js";

/** What the parts of a viewer share. */
export class ViewerCore extends GuestCore {
  readonly settings: ViewerSettings;
  readonly seats: readonly number[] = [];
  net!: ViewerNet;
  /** The tick of the newest state that was taken over. */
  tick = 0;
  buffer = new JitterBuffer(50);

  constructor(simulation: AnySimulation, settings: ViewerSettings, now: () => number) {
    super(simulation, now);
    this.settings = settings;
  }

  forgetTiming(): void {
    this.buffer.restart();
  }
}
