import { requireWhole } from "../../errors/index.js";
import type { Loop } from "../loop.js";
import { requireLoop } from "./one-per-loop.js";

/** Returns the virtual seconds per real second now; 0 during a pause or a hit-stop. */
export function speedOf(loop: Loop): number {
  requireLoop("speedOf", loop);
  let speed = loop.paused ? 0 : 1;
  for (const part of loop.parts) speed *= part.speed ?? 1;
  return speed;
}

/** Returns when shown time reaches `tick / rate` at the current speed: milliseconds of the driver's clock. */
export function timestampOf(loop: Loop, tick: number): number {
  requireLoop("timestampOf", loop);
  requireWhole("timestampOf: tick", tick, 0, loop.tick);
  if (loop.paused) return Infinity;
  const virtual = untilShown(loop, tick);
  // Parts scale time in the order in which they were attached.
  const real = loop.parts.reduceRight((seconds, part) => part.unscale?.(seconds) ?? seconds, virtual);
  return loop.frame.timestamp + real * 1e3;
}

/** Virtual seconds from the end of the frame's time until a state is shown. Negative for the past. */
function untilShown(loop: Loop, tick: number): number {
  const { owed, step, second, showsNewest } = loop.kernel;
  // State 0 is shown before any time has passed.
  if (tick + loop.tick === 0) return 0;
  if (showsNewest) return (tick * step) / second - loop.time;
  const ahead = loop.parts.reduce((sum, part) => sum + (part.ahead ?? 0), 0);
  // A frame drops the steps that it cannot run.
  const spent = Math.min(owed, stepsLeft(loop) * step + (owed % step));
  // Whole units: with a rounding error, a state that is shown before a hit-stop would be shown after it.
  const units = (tick - loop.tick + 1 - ahead) * step - spent;
  // The last unit of a step counts as its end.
  return units === 1 ? 0 : units / second;
}

/** Returns how many steps the current frame still runs, including the current one. */
export function stepsLeft(loop: Loop): number {
  requireLoop("stepsLeft", loop);
  const { kernel, maxSteps, frame } = loop;
  return Math.max(1, Math.min(Math.floor(kernel.owed / kernel.step), maxSteps - frame.steps));
}
