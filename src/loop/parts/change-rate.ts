import { misuse } from "../../errors/index.js";
import { FixedStep } from "../fixed-step.js";
import type { StepInfo, Writable } from "../info.js";
import type { Loop } from "../loop.js";
import { exactRate, type ExactRate, type Rate } from "../rate.js";
import { requireLoop } from "./one-per-loop.js";

/**
 * Changes the rate of a loop: at once, or inside a callback, after the frame's steps or its drawing. The picture does not jump, as
 * alpha stays the same; the time that this gains or loses, less than a step, is part of the `rate` event.
 */
export function changeRate(loop: Loop, rate: Rate): void {
  requireLoop("changeRate", loop);
  const exact = exactRate("changeRate: rate", rate);
  if (![FixedStep, ContinuedStep].includes(loop.kernel.constructor as typeof FixedStep))
    misuse("unsupported", "changeRate", "only fixed steps can change their rate", "Create another loop");
  loop.emit("use", { name: "changeRate" });
  loop.between(() => change(loop, exact));
}

function change(loop: Loop, rate: ExactRate): void {
  const before = loop.kernel as FixedStep;
  if (`${rate}` === `${before.rate}`) return;
  const kernel = new ContinuedStep(rate, before);
  const lost = (before.owed - before.lead) / before.second - (kernel.owed - kernel.lead) / kernel.second;
  loop.continueWith(kernel, loop.lostSeconds + lost);
  loop.emit("rate", { rate, lost, units: kernel.second / before.second });
}

/** Continues after steps of another rate. */
class ContinuedStep extends FixedStep {
  /** The first step at this rate. Step n, from there on, begins at (n × denominator + offset) / numerator seconds. */
  readonly origin: number;
  readonly offset: number;
  /** Seconds of the step that made the state at `origin`; 0 if none has. */
  readonly lastDt: number;

  constructor(rate: ExactRate, before: FixedStep) {
    super(rate);
    const { tick, alpha, lead, step } = before;
    const { origin, lastDt } = before as Partial<ContinuedStep>;
    this.tick = this.origin = tick;
    this.offset = before.timeAt(tick) * rate[0] - tick * rate[1];
    this.lastDt = tick > (origin ?? 0) ? before.dt : (lastDt ?? 0);
    this.owed = Math.min(this.step - 1, Math.round(alpha * this.step));
    this.lead = Math.round((lead / step) * this.step);
    this.show();
  }

  override describe(step: Writable<StepInfo>): void {
    super.describe(step);
    step.time = this.timeAt(this.tick);
  }

  override timeAt(tick: number): number {
    const [numerator, denominator] = this.rate;
    return (tick * denominator + this.offset) / numerator;
  }

  override show(): void {
    super.show();
    const { tick, alpha } = this;
    this.shownTime =
      tick > this.origin ? this.timeAt(tick - 1 + alpha) : this.timeAt(tick) - (1 - alpha) * this.lastDt;
  }
}
