import type { DisplayFrame } from "./display.js";

/** What a way to pace frames has shown at each frame. */
export interface Showing {
  /** The content's time, in milliseconds. */
  readonly shown: number[];
  /** Milliseconds by which it is intended to be ahead of the display's time. */
  readonly lead: number[];
  /** Steps that it ran. */
  readonly steps: number[];
}

/** Is told one frame after the other, and says what it shows. */
export type Pacer = (frame: DisplayFrame) => {
  readonly shown: number;
  readonly lead: number;
  readonly steps: number;
};

/** A way to make the frames of a display into steps of so many a second, and a picture between them. */
export interface Pacing {
  (frames: readonly DisplayFrame[], rate: number): Showing;
  /** The same, frame by frame. */
  start(rate: number): Pacer;
}

function pacing(start: (rate: number) => Pacer): Pacing {
  const showAll = (frames: readonly DisplayFrame[], rate: number) => {
    const showing: Showing = { shown: [], lead: [], steps: [] };
    const pacer = start(rate);
    for (const frame of frames) {
      const { shown, lead, steps } = pacer(frame);
      showing.shown.push(shown);
      showing.lead.push(lead);
      showing.steps.push(steps);
    }
    return showing;
  };
  return Object.assign(showAll, { start });
}

/** As much of a Tickwise loop as is wanted here. */
export interface ShowingLoop {
  readonly shownTime: number;
  readonly lead: number;
  readonly tick: number;
  readonly driver: { play(timestamps: Iterable<number>): void };
}

/** The loop itself. Scenes are shared by source and built package, so it is given. */
export function paced(makeLoop: (rate: number) => ShowingLoop): Pacing {
  return pacing((rate) => {
    const loop = makeLoop(rate);
    return ({ stamp }) => {
      const { tick } = loop;
      loop.driver.play([stamp]);
      return { shown: loop.shownTime * 1000, lead: loop.lead * 1000, steps: loop.tick - tick };
    };
  });
}

/** The accumulator of the article in doubles, fed with what is elapsed from the frames before, the last one first. */
function accumulate(elapsed: (frame: DisplayFrame, before: readonly DisplayFrame[]) => number): Pacing {
  return pacing((rate) => {
    const dt = 1000 / rate;
    const before: DisplayFrame[] = [];
    let over = 0;
    let tick = 0;
    return (frame) => {
      if (before.length > 0) over += elapsed(frame, before);
      before.unshift(frame);
      before.length = Math.min(before.length, 4);
      let steps = 0;
      for (; over >= dt; over -= dt) steps++;
      tick += steps;
      return { shown: (tick - 1) * dt + over, lead: -dt, steps };
    };
  });
}

/** Fed with `performance.now()`, as most loops are. */
export const plainNow = accumulate(({ now }, [before]) => now - before!.now);

/** Fed with the stamps of requestAnimationFrame. */
export const plainRaf = accumulate(({ stamp }, [before]) => stamp - before!.stamp);

/** Fed with the mean of the last four stamps' distances. */
export const meanOfFour = accumulate(({ stamp }, before) => (stamp - before.at(-1)!.stamp) / before.length);

/** One who knows when the display refreshes. */
export const oracle = accumulate(({ vsync }, [before]) => vsync - before!.vsync);

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
