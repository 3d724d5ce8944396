// A display on which steps and drawing take time, and what a player sees of it: for loops that read the clock again after their steps.
import { noise, type DisplayFrame } from "./display.js";
import { judder, judderOf } from "./judder.js";

/** What the steps and the drawing of a game cost. */
export interface Costs {
  /** Steps per second. */
  readonly rate: number;
  /** Milliseconds of a step. */
  step(random: () => number, tick: number): number;
  /** Milliseconds of drawing a frame. */
  readonly render: number;
}

/** Games by what is slow in them. */
export const COSTS: Readonly<Record<string, Costs>> = {
  "rare slow steps": { rate: 60, render: 4, step: (random) => (random() < 0.02 ? 40 : 4) },
  "short steps, a slow beat": { rate: 240, render: 4, step: (_, tick) => (tick % 120 === 119 ? 30 : 0.5) },
  "steps near the limit": { rate: 60, render: 5, step: (random) => 6 + 8 * random() },
  "30 frames per second": { rate: 60, render: 6, step: () => 13.3 },
};

/** A display whose clock the callbacks of its frames move forward: a manual driver. */
export interface SlowDisplay {
  /** Milliseconds. */
  readonly time: number;
  spend(seconds: number): void;
  /** Runs the frames of a display. */
  display(hertz: number, seconds: number): void;
}

/** A game whose steps and drawing take time. */
export interface SlowGame {
  readonly rate: number;
  step(tick: number): void;
  /** Draws a picture of a moment, in seconds, in a frame with this timestamp, in milliseconds. */
  draw(shownTime: number, timestamp: number): void;
}

export interface SlowFigures {
  readonly framesPerSecond: number;
  /** Milliseconds between the moment that a refresh shows and the refresh: mean, and the worst hundredth. */
  readonly age: number;
  readonly ageP99: number;
  /** The same at the first refresh of frames with a step that took longer than a refresh, mean; NaN if there were none. */
  readonly ageAfterSlow: number;
  /** Root mean square judder. */
  readonly judder: number;
  /** Milliseconds from an input to the refresh that shows half of its effect: for events, which wait for a frame, and for devices that each step polls. */
  readonly events: number;
  readonly polled: number;
}

/** Measures a loop: `start` lets it run a game with the frames of a display. */
export function measureSlow(
  costs: Costs,
  display: SlowDisplay,
  start: (game: SlowGame) => void,
  refresh: number,
  seconds: number,
): SlowFigures {
  const random = noise(7);
  const period = 1000 / refresh;
  /** When each step began, and which frame it belongs to. */
  const began: number[] = [];
  const frameOf: number[] = [];
  /** Frames with slow steps. */
  const slow = new Set<number>();
  const frames: { readonly timestamp: number; readonly photon: number; readonly shown: number }[] = [];
  start({
    rate: costs.rate,
    step(tick) {
      const cost = costs.step(random, tick);
      began.push(display.time);
      frameOf.push(frames.length);
      if (cost > period) slow.add(frames.length);
      display.spend(cost / 1000);
    },
    draw(shownTime, timestamp) {
      display.spend(costs.render / 1000);
      // Shown with the next refresh.
      const photon = Math.ceil(display.time / period - 1e-9) * period;
      frames.push({ timestamp, photon: Math.max(photon, timestamp + period), shown: shownTime * 1000 });
    },
  });
  display.display(refresh, seconds);

  // Per refresh: the newest picture, and its age.
  const warm = 120;
  const ages: number[] = [];
  const seen: DisplayFrame[] = [];
  for (let i = warm; i + 1 < frames.length; i++) {
    const { photon, shown } = frames[i]!;
    const refreshes = Math.round((photon - frames[i - 1]!.photon) / period);
    seen.push({ stamp: photon, now: photon, vsync: photon, refreshes });
    for (let at = photon; at < frames[i + 1]!.photon - period / 2; at += period) ages.push(at - shown);
  }
  const shown = frames.slice(warm, -1).map((frame) => frame.shown);
  const inputs = noise(8);
  const dt = 1000 / costs.rate;
  const latency = (isPolled: boolean) => {
    let sum = 0;
    let count = 0;
    let tick = 0;
    for (let time = frames[warm]!.timestamp; ; time += inputs() * 100) {
      while (tick < began.length && (isPolled ? began[tick]! : frames[frameOf[tick]!]!.timestamp) < time)
        tick++;
      let frame = frameOf[tick] ?? frames.length;
      while (frame < frames.length && frames[frame]!.shown < (tick + 0.5) * dt) frame++;
      if (frame >= frames.length) return sum / count;
      sum += frames[frame]!.photon - time;
      count++;
    }
  };
  const mean = (list: readonly number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const agesAfterSlow = frames.flatMap(({ photon, shown: time }, i) => (slow.has(i) ? photon - time : []));
  const sorted = [...ages].sort((a, b) => a - b);
  return {
    framesPerSecond: (frames.length * 1000) / frames.at(-1)!.photon,
    age: mean(ages),
    ageP99: sorted[Math.floor(sorted.length * 0.99)]!,
    ageAfterSlow: mean(agesAfterSlow),
    judder: judder(judderOf(seen, shown)).rms,
    events: latency(false),
    polled: latency(true),
  };
}
