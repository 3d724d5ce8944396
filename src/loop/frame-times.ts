import { SECOND, type TimeScale } from "../time/index.js";
import type { DriverLink } from "./driver-link.js";
import type { FrameRunner } from "./frame.js";
import type { Presentation } from "./presentation.js";

/** When the time of the current or last frame ended: milliseconds of the driver's clock. */
export function endOfFrame(frames: FrameRunner, link: DriverLink): number {
  const { driver, timestamp } = link;
  if (driver) return Number.isNaN(timestamp) ? driver.now() : timestamp;
  // Without a driver, the clock is the sum of real time. The tally does not have the current frame's yet.
  const real = frames.tally.real(false) / SECOND;
  return (frames.steps.isStepping ? real + frames.info.realDelta : real) * 1e3;
}

/** When shown time reaches a tick at the current speed: milliseconds of the driver's clock. */
export function timestampOf(
  tick: number,
  frames: FrameRunner,
  { present, blend }: Presentation,
  clock: TimeScale,
  link: DriverLink,
): number {
  const { info, accumulator } = frames;
  // State 0 is shown before the accumulator's first step already.
  const isShown = accumulator.plan || info.tick + tick === 0;
  // Without interpolation, the newest state is shown as soon as it is stepped.
  const position = accumulator.positionAt(info.tick);
  const isBlend = present === "interpolate";
  const shown =
    position === undefined
      ? info.tick - 1 + (isBlend ? info.alpha : blend + 1)
      : position + (isBlend ? 0 : 1);
  let ahead = isShown ? accumulator.timeAt(tick) - info.shownTime : accumulator.timeOf(tick - shown);
  // Inside a step, the clock has advanced by this frame's time, but `info` still describes the last picture.
  if (frames.steps.isStepping) ahead -= info.delta + accumulator.ledger.repaid.seconds;
  // The time of borrowed steps has not passed yet.
  const { borrowed } = accumulator;
  if (borrowed.isActive)
    ahead += frames.steps.isStepping
      ? accumulator.timeOf(borrowed.countBefore) - borrowed.timeBefore / SECOND
      : accumulator.timeOf(borrowed.count) - borrowed.time / SECOND;
  return endOfFrame(frames, link) + clock.realSecondsFor(ahead) * 1e3;
}
