import { Loop, type DisplayOptions, type LoopOptions } from "../src/index.js";
import { manualDisplay, type ManualDisplay } from "../src/testing/index.js";
import type { DisplayFrame } from "./display.js";

/** The results of a pacing for each frame. */
export interface Showing {
  /** The shown time, in milliseconds. */
  readonly shown: number[];
  /** Milliseconds by which the shown time is meant to be ahead of the display's time. */
  readonly lead: number[];
  /** Number of steps. */
  readonly steps: number[];
}

/** Processes one frame after the other, and returns what it shows. */
export type Pacer = (frame: DisplayFrame) => {
  readonly shown: number;
  readonly lead: number;
  readonly steps: number;
};

/** Turns the frames of a display into steps at a fixed rate, and a picture between two steps. */
export interface Pacing {
  (frames: readonly DisplayFrame[], rate: number): Showing;
  /** Starts a pacer that works frame by frame. */
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

/** Says which moment a loop draws, in seconds. `rate` is that of the pacing. */
type Shown = (loop: Loop, rate: number) => number;

/** Starts a loop on a display with manual time. */
export function onDisplay(options: LoopOptions, displayOptions?: Omit<DisplayOptions, "frames">) {
  const screen = manualDisplay(displayOptions);
  const loop = new Loop(options);
  loop.start(screen);
  return { loop, screen };
}

/** The pacing of a loop on a display. By default, it draws the blend of the last two states. */
export const paced = (
  options: Omit<LoopOptions, "rate"> = {},
  shown: Shown = ({ frame }) => frame.shownTime,
): Pacing =>
  pacing((rate) => {
    const { loop, screen } = onDisplay({ ...options, rate });
    return pacer(loop, screen, () => shown(loop, rate));
  });

/** Tickwise, as it is on a page. */
export const tickwise = paced();

/** The pacing of a loop with `steps` steps per refresh, on a display whose rate it finds first. Draws the newest state. */
export const perRefresh = (
  steps: number,
  options: Omit<LoopOptions, "rate"> = {},
  shown: Shown = ({ time }) => time,
): Pacing =>
  pacing((rate) => {
    const { screen, found } = searching();
    let pace: Pacer | undefined;
    return (frame) => {
      if (pace) return pace(frame);
      screen.play([frame.stamp]);
      if (found.hertz > 0) {
        const loop = new Loop({ ...options, rate: steps * found.hertz });
        loop.start(screen);
        pace = pacer(loop, screen, () => shown(loop, rate));
      }
      return { shown: 0, lead: 0, steps: 0 };
    };
  });

/** A display that is finding its rate: in hertz, and when, in milliseconds. */
function searching() {
  const screen = manualDisplay();
  const found = { hertz: 0, time: 0 };
  const off = screen.on("rate", (hertz) => {
    Object.assign(found, { hertz, time: screen.time });
    off();
  });
  void screen.rate();
  return { screen, found };
}

/** Finds the rate of a display that has frames at these timestamps: in hertz, and after how many seconds. */
export function rateOf(stamps: readonly number[]) {
  const { screen, found } = searching();
  screen.play(stamps);
  return { hertz: found.hertz, after: (found.time - stamps[0]!) / 1000, screen };
}

function pacer(loop: Loop, screen: ManualDisplay, shown: () => number): Pacer {
  return ({ stamp }) => {
    const { tick } = loop;
    screen.play([stamp]);
    const { lead, step, second } = loop.kernel;
    return {
      shown: shown() * 1000,
      // With a step less a unit, a frame shows the time of its refresh. Nothing is lent before the first one.
      lead: lead === 0 ? 0 : ((lead + 1 - step) / second) * 1000,
      steps: loop.tick - tick,
    };
  };
}

/** The accumulator of the article, in doubles. `elapsed` gets the previous frames, the latest first. */
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

/** Uses `performance.now()`, like most loops. */
export const plainNow = accumulate(({ now }, [before]) => now - before!.now);

/** Uses the timestamps of requestAnimationFrame. */
export const plainRaf = accumulate(({ stamp }, [before]) => stamp - before!.stamp);

/** Uses the mean of the last four frame times. */
export const meanOfFour = accumulate(({ stamp }, before) => (stamp - before.at(-1)!.stamp) / before.length);

/** Knows when the display refreshes. */
export const oracle = accumulate(({ vsync }, [before]) => vsync - before!.vsync);

/** Steps per second of Stolk's method, and the maximum of steps per frame. */
export const STOLK_RATE = 240;
const STOLK_MAX = 12;

/**
 * Bram Stolk's method: short steps, as many as are nearest to the length of the frame, at least one. The rest of the frame's
 * time is discarded, not carried over. Shows the newest state.
 */
export const stolk = pacing((rate) => {
  const dt = 1000 / rate;
  let before = NaN;
  let tick = 0;
  return ({ stamp }) => {
    const elapsed = stamp - before;
    before = stamp;
    const steps = elapsed >= 0 ? Math.max(1, Math.min(STOLK_MAX, Math.ceil(elapsed / dt - 0.5))) : 0;
    tick += steps;
    return { shown: tick * dt, lead: 0, steps };
  };
});

/** Counts frames with an irregular number of steps, if the step rate is nearly a multiple of the refresh rate. */
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
