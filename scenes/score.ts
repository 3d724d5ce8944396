import { displayFrames, noise, type DisplayFrame, type DisplayOptions } from "./display.js";
import { judder, judderOf, type Judder } from "./judder.js";
import { irregular, type Pacing } from "./pacing.js";

export const REFRESHES = [60, 59.94, 75, 120, 144, 165, 240];
export const RATES = [30, 50, 60, 64, 100, 120];

/** The clocks of browsers. */
export const CLOCKS = {
  chrome: { grid: 0.1 },
  firefox: { grid: 0.02, jitter: 0.5 },
  coarse: { grid: 1 },
  late: { grid: 1, late: true },
} satisfies Record<string, Partial<DisplayOptions>>;

/** Milliseconds at the start that are not scored, while the loop measures the display. */
const WARM_UP = 2000;

/** Returns the first frame to score, or 0 if the recording is too short. */
export const warm = (frames: readonly DisplayFrame[]) =>
  Math.max(
    0,
    frames.findIndex(({ vsync }) => vsync - frames[0]!.vsync > WARM_UP),
  );

/** Returns the judder of a pacing on a display, after the warm-up. */
export function score(pacing: Pacing, rate: number, options: DisplayOptions): Judder {
  const frames = displayFrames(options);
  const { shown } = pacing(frames, rate);
  const start = warm(frames);
  return judder(judderOf(frames.slice(start), shown.slice(start)));
}

/** Returns the root mean square judder over all refresh rates and simulation rates. */
export function pooledRms(pacing: Pacing, clock: Partial<DisplayOptions>, seconds: number): number {
  let squares = 0;
  for (const refresh of REFRESHES)
    for (const rate of RATES)
      squares += score(pacing, rate, { ...clock, refresh, seconds, seed: refresh * 1000 + rate }).rms ** 2;
  return Math.sqrt(squares / REFRESHES.length / RATES.length);
}

/** How fast a game runs relative to real time, and how evenly for that speed. */
export interface SpeedScore {
  /** 1 is right. */
  readonly speed: number;
  /** Root mean square judder, relative to motion at that speed. */
  readonly rms: number;
}

/** Returns speed and evenness of a pacing on a display, after `from` seconds. */
export function speedScore(pacing: Pacing, rate: number, options: DisplayOptions, from: number): SpeedScore {
  const all = displayFrames(options);
  const first = all.findIndex(({ vsync }) => vsync - all[0]!.vsync > from * 1000);
  const { shown } = pacing(all, rate);
  const frames = all.slice(first);
  const real = frames.at(-1)!.vsync - frames[0]!.vsync;
  const speed = (shown.at(-1)! - shown[first]!) / real;
  const atSpeed = shown.slice(first).map((time) => time / speed);
  return { speed, rms: judder(judderOf(frames, atSpeed)).rms };
}

/** Counts the frames with an irregular number of steps in the first minute. */
export function irregularPerMinute(
  pacing: Pacing,
  rate: number,
  options: Omit<DisplayOptions, "seconds">,
): number {
  const frames = displayFrames({ ...options, seconds: 60 });
  return irregular(frames, pacing(frames, rate).steps, rate);
}

/** Returns how far the shown time has drifted from the display's time, in milliseconds. */
export function drift(pacing: Pacing, rate: number, options: DisplayOptions): number {
  const frames = displayFrames(options);
  const { shown } = pacing(frames, rate);
  return shown.at(-1)! - (frames.at(-1)!.vsync - frames[0]!.vsync);
}

/** A pacing has recovered when the judder of this many refreshes is below this limit. */
const WINDOW = 12;
const CALM = 0.02;

/** Returns the milliseconds after a moment until motion is even again. */
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

/** Returns the mean milliseconds from an input to the first refresh that shows half of its effect. A frame is visible one refresh after it is drawn. */
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
    // The next step reads the input. Half of its motion is shown half a step later.
    const half = (ticks[frame]! + 0.5) * dt;
    let seen = frame;
    while (seen < frames.length && shown[seen]! < half) seen++;
    if (seen >= frames.length - 1) return sum / inputs;
    sum += frames[seen + 1]!.vsync - time;
    inputs++;
  }
}
