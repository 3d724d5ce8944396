import type { Accumulator } from "./accumulator.js";
import type { FrameInfo, Writable } from "./info.js";

/** What a frame shows; see `LoopSettings.present`. */
export type Present = "interpolate" | "latest" | "speculate";

/** Decides which moment of the game a frame shows: sets `alpha`, `tick` and `shownTime`. */
export class Presentation {
  present: Present = "interpolate";
  /** The alpha that an interpolated frame would have, if another moment is shown. */
  blend: number;

  constructor() {
    // A fraction first: engines then store this field as a double and never allocate for it.
    this.blend = 0.5;
  }

  /** Describes a frame after its steps. `tick` is the number of the current state. */
  describe(info: Writable<FrameInfo>, tick: number, accumulator: Accumulator): void {
    accumulator.show(info, tick);
    if (accumulator.plan || this.present !== "interpolate") this.describeOther(info, accumulator);
  }

  private describeOther(info: Writable<FrameInfo>, accumulator: Accumulator): void {
    const { plan } = accumulator;
    this.blend = info.alpha;
    if (!plan && this.present === "speculate") {
      info.shownTime = accumulator.timeAt(info.tick + info.alpha);
      return;
    }
    // Step plans show the newest state, too.
    info.alpha = 1;
    info.shownTime = plan ? plan.time : accumulator.timeAt(info.tick);
  }
}
