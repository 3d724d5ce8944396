import type { Brush } from "./brush.js";
import type { Track } from "./track.js";

/** Seconds that the strip shows. */
export const STRIP_SECONDS = 1.5;
/** Pixels above and below what is shown. */
const MARGIN = 8;
/** Pixels from one point of the line to the next, at least. */
const FINE = 3;
/** Pixels for the ticks of the steps. */
const TICKS = 12;

/**
 * Draws what was shown lately. Time goes to the right: a dot per drawn frame, a tick per step, an amber line for the truth, red for lost
 * time, purple for corrections. `looked` is the time that the visitor looks at; NaN for now.
 */
export function drawStrip(
  brush: Brush,
  track: Track,
  now: number,
  [low, high]: readonly [number, number],
  looked: number,
): void {
  const { width, height, context } = brush;
  const since = now - STRIP_SECONDS;
  const bottom = height - TICKS;
  const xOf = (time: number) => ((time - since) / STRIP_SECONDS) * width;
  const yOf = (value: number) => {
    const y = bottom - MARGIN - ((value - low) / (high - low)) * (bottom - 2 * MARGIN);
    return Math.min(height, Math.max(-4, y));
  };
  track.eachLoss(since, (from, to) => {
    const x = xOf(Math.max(from, since));
    brush.box(x, 0, Math.max(1.5, xOf(to) - x), bottom, "wrong", 0, 0.22);
  });
  track.eachCorrection(since, (time) => brush.line(xOf(time), 2, xOf(time), bottom, "correction", 1.5));
  const first = Math.max(track.firstFrame, track.frameAt(since));
  context.beginPath();
  let last = -Infinity;
  for (let frame = first; frame < track.frames; frame++) {
    const x = xOf(track.timeOf(frame));
    // Fast displays have more frames than the line needs points.
    if (x - last < FINE && frame < track.frames - 1) continue;
    last = x;
    context.lineTo(x, yOf(track.truthOf(frame)));
  }
  context.strokeStyle = brush.colour("truth");
  context.lineWidth = 2;
  context.lineJoin = "round";
  context.stroke();
  // Dots of a fast display would run into each other.
  const radius = Math.min(3, Math.max(1.2, width / STRIP_SECONDS / 240));
  for (let frame = first; frame < track.frames; frame++) {
    const y = yOf(track.shownOf(frame));
    // NaN for frames of other displays.
    if (y >= -4) brush.disc(xOf(track.timeOf(frame)), y, radius, "simulated");
  }
  context.beginPath();
  track.eachStep(since, (time) => {
    context.moveTo(xOf(time), bottom + 3);
    context.lineTo(xOf(time), height - 1);
  });
  context.strokeStyle = brush.colour("muted");
  context.lineWidth = 1;
  context.stroke();
  if (looked >= since) brush.line(xOf(looked), 0, xOf(looked), height, "ink", 1);
}
