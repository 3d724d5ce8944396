import { displayFrames, noise, type DisplayFrame, type DisplayOptions } from "./display.js";
import { judder, judderOf, type Judder } from "./judder.js";
import { irregular, type Pacing } from "./pacing.js";

export const REFRESHES = [60, 59.94, 75, 120, 144, 165, 240];
export const RATES = [30, 50, 60, 64, 100, 120];

/** Clocks of browsers. */
export const CLOCKS = {
  chrome: { grid: 0.1 },
  firefox: { grid: 0.02, jitter: 0.5 },
  coarse: { grid: 1 },
  late: { grid: 1, late: true },
} satisfies Record<string, Partial<DisplayOptions>>;

/** Not scored: the time in which a display is got to know. */
const WARM_UP = 2000;

/** The first frame that is scored; all are, if none is so late. */
export const warm = (frames: readonly DisplayFrame[]) =>
  Math.max(
    0,
    frames.findIndex(({ vsync }) => vsync - frames[0]!.vsync > WARM_UP),
  );

/** The judder of a pacing before a display, once it is warm. */
export function score(pacing: Pacing, rate: number, options: DisplayOptions): Judder {
  const frames = displayFrames(options);
  const { shown } = pacing(frames, rate);
  const start = warm(frames);
  return judder(judderOf(frames.slice(start), shown.slice(start)));
}

/** Root mean square judder over all refresh rates and simulation rates. */
export function pooledRms(pacing: Pacing, clock: Partial<DisplayOptions>, seconds: number): number {
  let squares = 0;
  for (const refresh of REFRESHES)
    for (const rate of RATES)
      squares += score(pacing, rate, { ...clock, refresh, seconds, seed: refresh * 1000 + rate }).rms ** 2;
  return Math.sqrt(squares / REFRESHES.length / RATES.length);
}

/** Frames with other than their regular count of steps in a minute, from the first frame on. */
export function irregularPerMinute(
  pacing: Pacing,
  rate: number,
  options: Omit<DisplayOptions, "seconds">,
): number {
  const frames = displayFrames({ ...options, seconds: 60 });
  return irregular(frames, pacing(frames, rate).steps, rate);
}

/** Milliseconds by which what is shown has left the display's time after so many seconds. */
export function drift(pacing: Pacing, rate: number, options: DisplayOptions): number {
  const frames = displayFrames(options);
  const { shown } = pacing(frames, rate);
  return shown.at(-1)! - (frames.at(-1)!.vsync - frames[0]!.vsync);
}

/** Refreshes whose judder must be small for a pacing to have recovered, and how small. */
const WINDOW = 12;
const CALM = 0.02;

/** Milliseconds after a moment until the picture moves evenly again, from the first refresh of that calm on. */
export function recovery(pacing: Pacing, rate: number, moment: number, options: DisplayOptions): number {
  const frames = displayFrames(options);
  const { shown } = pacing(frames, rate);
  const first = frames.findIndex(({ vsync }) => vsync - frames[0]!.vsync >= moment * 1000 - 1e-6);
  const after = frames.slice(first);
  const errors = judderOf(after, shown.slice(first));
  let calm = 0;
  while (calm < errors.length && judder(errors.slice(calm, calm + WINDOW)).rms > CALM) calm++;
  return (after[Math.min(calm, after.length - 1)]?.vsync ?? Infinity) - after[0]!.vsync;
}

/** Mean milliseconds from an input to the first refresh that shows half of what it did. A frame is seen a refresh after it is drawn. */
export function inputToPhoton(pacing: Pacing, rate: number, options: DisplayOptions): number {
  const frames = displayFrames(options);
  const { shown, steps } = pacing(frames, rate);
  const start = warm(frames);
  const random = noise(1);
  const dt = 1000 / rate;
  /** Steps run before each frame. */
  const ticks: number[] = [];
  let tick = 0;
  for (const count of steps) {
    ticks.push(tick);
    tick += count;
  }
  let sum = 0;
  let inputs = 0;
  let frame = start;
  for (let time = frames[start]!.vsync; ; time += random() * 100) {
    while (frame < frames.length && frames[frame]!.vsync < time) frame++;
    // The first step that runs now or later sees it; half of its way is shown half a step after its time.
    const half = (ticks[frame]! + 0.5) * dt;
    let seen = frame;
    while (seen < frames.length && shown[seen]! < half) seen++;
    if (seen >= frames.length - 1) return sum / inputs;
    sum += frames[seen + 1]!.vsync - time;
    inputs++;
  }
}
