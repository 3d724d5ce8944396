// Simulated displays that change: periods of load, changing rates, and no steady rate.
import { displayFrames, noise, randomFrames, type DisplayFrame, type DisplayOptions } from "./display.js";
import type { Showing } from "./pacing.js";

export type Clock = Pick<DisplayOptions, "grid" | "late" | "jitter">;
/** Picks a random element. */
export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)]!;

/** Returns frames with random periods of load, at a half, a third or a quarter of the rate. */
export function spellFrames(refresh: number, seconds: number, clock: Clock, seed: number): DisplayFrame[] {
  const random = noise(seed);
  const spells: [number, number, number][] = [];
  for (let from = 1 + random(); from < seconds;) {
    const length = 0.05 + 12 * random() ** 4;
    spells.push([from, length, pick(random, [2, 2, 3, 4])]);
    from += length + 0.1 + 4 * random() ** 2;
  }
  return displayFrames({ refresh, seconds, ...clock, spells, seed });
}

/** Returns the frames of a display that switches between two rates every few seconds. */
export function switchFrames(
  [first, second]: readonly [number, number],
  seconds: number,
  clock: Clock,
  seed: number,
): DisplayFrame[] {
  const random = noise(seed);
  const changes: [number, number][] = [];
  for (let from = 1 + 4 * random(); from < seconds; from += 0.5 + 6 * random())
    changes.push([from, changes.length % 2 ? first : second]);
  return displayFrames({ refresh: first, seconds, ...clock, changes, seed });
}

/** Returns frames with random drops, stalls and periods of load. */
export function burstFrames(refresh: number, seconds: number, clock: Clock, seed: number): DisplayFrame[] {
  const random = noise(seed);
  const spells: [number, number, number][] = [];
  const stalls: [number, number][] = [];
  for (let from = random(); from < seconds; from += 0.2 + 20 * random() ** 2) {
    if (random() < 0.3) stalls.push([from, 0.02 + 0.4 * random() ** 3]);
    else spells.push([from, 0.02 + 4 * random() ** 3, pick(random, [2, 2, 3])]);
  }
  return displayFrames({ refresh, seconds, ...clock, drops: 0.02 * random(), spells, stalls, seed });
}

const gauss = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Distributions of frame lengths without vsync, in milliseconds. Their standard deviation is at least a tenth of the mean. */
export const LENGTHS: Readonly<Record<string, (random: () => number) => number>> = {
  "uniform, 3 to 7": (random) => 3 + 4 * random(),
  "uniform, 8 to 12": (random) => 8 + 4 * random(),
  "uniform, 13 to 20": (random) => 13 + 7 * random(),
  "normal, 10 ± 1": (random) => Math.max(1, 10 + gauss(random)),
  "normal, 16.7 ± 1.7": (random) => Math.max(1, 16.7 + 1.7 * gauss(random)),
  "normal, 4 ± 0.4": (random) => Math.max(1, 4 + 0.4 * gauss(random)),
  exponential: (random) => 4 - 4 * Math.log(1 - random()),
  "log-normal": (random) => 8 * Math.exp(0.3 * gauss(random)),
  triangular: (random) => 5 + 2 * (random() + random()),
  gamma: (random) => 1 - 3 * Math.log((1 - random()) * (1 - random())),
};

/** Returns frames of random lengths, by the name of a distribution in `LENGTHS`. */
export const unsteadyFrames = (name: string, count: number, clock: Clock, seed: number) =>
  randomFrames(LENGTHS[name]!, count, clock, seed);

/** Returns the largest distance of the shown time from the timestamps, in milliseconds, not counting lead and clock resolution. */
export function distance(frames: readonly DisplayFrame[], { shown, lead }: Showing, grid = 0): number {
  let max = 0;
  for (let i = 0; i < frames.length; i++) {
    const elapsed = frames[i]!.stamp - frames[0]!.stamp;
    if (shown[i]! > 0) max = Math.max(max, Math.abs(shown[i]! - lead[i]! - elapsed) - grid);
  }
  return max;
}
