import { misuse } from "../../../errors/index.js";
import { type ExactRate, exactRate, type Rate } from "../../../time/index.js";
import { FixedStep } from "../../fixed-step.js";
import type { Loop } from "../loop.js";

/**
 * Changes the rate of a loop: at once, or inside a callback, after the frame's steps or its drawing. The picture does not jump, as
 * alpha stays the same; the time that this gains or loses, less than a step, is part of the `rate` event.
 */
export function changeRate(loop: Loop, rate: Rate): void {
  const exact = exactRate("changeRate: rate", rate);
  if (!(loop.kernel.constructor === FixedStep))
    misuse("unsupported", "changeRate", "only fixed steps can change their rate", "Create another loop");
  loop.emit("use", { name: "changeRate" });
  loop.between(() => change(loop, exact));
}

function change(loop: Loop, rate: ExactRate): void {
  const before = loop.kernel as FixedStep;
  if (`${rate}` === `${before.rate}`) return;
  const kernel = new FixedStep(rate);
  const { tick } = before;
  kernel.tick = kernel.origin = tick;
  kernel.offset = before.timeAt(tick) * kernel.numerator - tick * kernel.denominator;
  kernel.owed = Math.min(kernel.step - 1, Math.round(before.alpha * kernel.step));
  kernel.lead = Math.round((before.lead / before.step) * kernel.step);
  kernel.lastDt = tick > before.origin ? before.dt : before.lastDt;
  const lost = loop.replaceKernel(kernel);
  loop.emit("rate", { rate, lost, units: kernel.second / before.second });
}
