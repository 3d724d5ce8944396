import { requireWhole } from "../../../errors/index.js";
import type { Loop } from "../loop.js";

/** Returns the virtual seconds per real second now; 0 during a pause or a hit-stop. */
export function speedOf(loop: Loop): number {
  let speed = loop.paused ? 0 : 1;
  for (const part of loop.parts) speed *= part.speed ?? 1;
  return speed;
}

/** Returns when shown time reaches `tick / rate` at the current speed: milliseconds of the driver's clock. */
export function timestampOf(loop: Loop, tick: number): number {
  requireWhole("timestampOf: tick", tick, 0, loop.tick);
  const { kernel } = loop;
  if (loop.paused) return Infinity;
  // State 0 is shown before any time has passed.
  const isFirst = tick + loop.tick === 0;
  let seconds = isFirst ? 0 : kernel.timeAt(tick) - loop.time - kernel.owed / kernel.second + kernel.dt;
  for (const part of loop.parts) if (part.unscale) seconds = part.unscale(seconds);
  return loop.frame.timestamp + seconds * 1e3;
}

/** Returns how many steps the current frame still runs, including the current one. */
export function stepsLeft({ kernel, maxSteps, frame }: Loop): number {
  return Math.max(1, Math.min(Math.floor(kernel.owed / kernel.step), maxSteps - frame.steps));
}
