// What is seen of frames that are not in step with the refreshes of a display: with vsync off, and with a variable refresh rate.
import { noise, randomFrames, type DisplayFrame } from "./display.js";
import type { Clock } from "./changing-displays.js";

const gauss = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Returns frames as drawn with vsync off: as fast as possible, with lengths that vary by `spread`, as a part of the mean. */
export function unsyncedFrames(
  framesPerSecond: number,
  spread: number,
  seconds: number,
  clock: Clock,
  seed = 1,
): DisplayFrame[] {
  const mean = 1000 / framesPerSecond;
  const length = (random: () => number) => Math.max(0.2 * mean, mean * (1 + spread * gauss(random)));
  return randomFrames(length, Math.round(seconds * framesPerSecond), clock, seed);
}

/** Pictures as they are seen: when each of them appears, and the time that it shows, in milliseconds. */
export interface Seen {
  readonly frames: readonly DisplayFrame[];
  readonly shown: readonly number[];
}

/**
 * Returns what a display of `refresh` hertz shows with vsync off, at the top of the screen: at each refresh, the last frame
 * that is complete. A frame is complete when the next one begins.
 */
export function seenUnsynced(
  frames: readonly DisplayFrame[],
  shown: readonly number[],
  refresh: number,
): Seen {
  const period = 1000 / refresh;
  const seen = { frames: [] as DisplayFrame[], shown: [] as number[] };
  // The display's refreshes have a phase of their own.
  let vsync = frames[0]!.vsync + period * (1 + noise(refresh)());
  let frame = 0;
  for (; vsync < frames.at(-1)!.vsync; vsync += period) {
    while (frames[frame + 2] && frames[frame + 2]!.vsync <= vsync) frame++;
    if (frames[frame + 1]!.vsync > vsync) continue;
    seen.frames.push({ stamp: vsync, now: vsync, vsync, refreshes: 1 });
    seen.shown.push(shown[frame]!);
  }
  return seen;
}

/** Returns what a display with a variable refresh rate shows: each frame as soon as it is complete, when the next one begins. */
export function seenVariable(frames: readonly DisplayFrame[], shown: readonly number[]): Seen {
  return { frames: frames.slice(1), shown: shown.slice(0, -1) };
}
