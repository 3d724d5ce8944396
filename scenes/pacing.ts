import type { DisplayFrame } from "./display.js";

/** What a way to pace frames has shown: the content's time at each frame, in milliseconds, and the steps it ran. */
interface Showing {
  readonly shown: number[];
  readonly steps: number[];
}

/** A way to make the frames of a display into steps of so many a second, and a picture between them. */
export type Pacing = (frames: readonly DisplayFrame[], rate: number) => Showing;

/** As much of a Tickwise loop as is wanted here. */
interface ShowingLoop {
  readonly shownTime: number;
  readonly tick: number;
  readonly driver: { play(timestamps: Iterable<number>): void };
}

/** The loop itself. Scenes are shared by source and built package, so it is given. */
export function paced(makeLoop: (rate: number) => ShowingLoop): Pacing {
  return (frames, rate) => {
    const loop = makeLoop(rate);
    const showing: Showing = { shown: [], steps: [] };
    let tick = 0;
    for (const { stamp } of frames) {
      loop.driver.play([stamp]);
      showing.shown.push(loop.shownTime * 1000);
      showing.steps.push(loop.tick - tick);
      ({ tick } = loop);
    }
    return showing;
  };
}

/** The accumulator of the article in doubles, fed with what a frame says. */
function accumulate(elapsed: (frames: readonly DisplayFrame[], i: number) => number): Pacing {
  return (frames, rate) => {
    const dt = 1000 / rate;
    const showing: Showing = { shown: [], steps: [] };
    let over = 0;
    let tick = 0;
    frames.forEach((_, i) => {
      over += i ? elapsed(frames, i) : 0;
      let steps = 0;
      for (; over >= dt; over -= dt) steps++;
      tick += steps;
      showing.shown.push((tick - 1) * dt + over);
      showing.steps.push(steps);
    });
    return showing;
  };
}

/** Fed with `performance.now()`, as most loops are. */
export const plainNow = accumulate((frames, i) => frames[i]!.now - frames[i - 1]!.now);

/** Fed with the stamps of requestAnimationFrame. */
export const plainRaf = accumulate((frames, i) => frames[i]!.stamp - frames[i - 1]!.stamp);

/** Fed with the mean of the last four stamps' distances. */
export const meanOfFour = accumulate((frames, i) => {
  const first = Math.max(0, i - 4);
  return (frames[i]!.stamp - frames[first]!.stamp) / (i - first);
});

/** One who knows when the display refreshes. */
export const oracle = accumulate((frames, i) => frames[i]!.vsync - frames[i - 1]!.vsync);

/** Frames that ran other than their regular count of steps, where steps and refreshes are nearly in a whole ratio. */
export function irregular(frames: readonly DisplayFrame[], steps: readonly number[], rate: number): number {
  let count = 0;
  for (let i = 1; i < frames.length; i++) {
    const { vsync, refreshes } = frames[i]!;
    const ratio = ((vsync - frames[i - 1]!.vsync) / refreshes / 1000) * rate;
    const whole = Math.round(ratio);
    if (whole > 0 && Math.abs(ratio / whole - 1) < 0.02 && steps[i] !== whole * refreshes) count++;
  }
  return count;
}
