import { SECOND } from "../time/index.js";
import type { Accumulator } from "./accumulator.js";
import type { OverloadInfo, Writable } from "./info.js";
import type { StepRunner } from "./step-runner.js";
import { LOST, OVERLOADS } from "./tally-fields.js";
import type { Tally } from "./tally.js";

/** Accounts for the time that a frame could not simulate, and describes it for listeners. */
export class Overload {
  readonly info: Writable<OverloadInfo> = { tick: 0, lost: 0.5, debt: 0.5, clamped: 0.5, skipped: 0 };

  /** Ends a frame that did not run `left` of its steps. Returns whether it was overloaded. */
  settle(left: number, steps: StepRunner, accumulator: Accumulator, tally: Tally): boolean {
    const { info } = this;
    if (!accumulator.settle(left, steps.isInterrupted, info)) return false;
    info.tick = steps.tick;
    tally.note(LOST, info.lost * SECOND);
    tally.note(OVERLOADS, 1);
    return true;
  }
}
