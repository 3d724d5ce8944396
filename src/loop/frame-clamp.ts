import { MAX_SETTING, SECOND, type Span, type TimeScale } from "../time/index.js";

/** Limits a frame's real time to `maxFrameTime`: a breakpoint or a stall must not come back as a burst of steps. */
export const clamp = (real: number, max: number): number => (real < max ? real : max);

/** Adds the real time that the clamp cut off, in nanoseconds, to a span of virtual time: it becomes debt, or is lost. */
export function addClamped(surplus: Span, clock: TimeScale, cutOff: number): void {
  const piece = MAX_SETTING * SECOND;
  // In pieces, as scaled time must stay below 2^53 nanoseconds.
  for (let left = cutOff; left > 0; left -= piece) surplus.add(clock.atScale(Math.min(left, piece)));
}
