import type { DisplayFrame } from "../../../scenes/display.js";
import type { Pacer } from "../../../scenes/pacing.js";
import type { Beat } from "../pulse.js";
import { LANES } from "./lanes.js";
import { findRefreshes } from "./lattice.js";
import { Run, STALL } from "./run.js";
import type { Trace } from "./trace.js";

/** Milliseconds: in which the lanes get to know the display; that figures are of; that are kept for a file. */
const WARM_UP = 2000;
const RECENT = 10_000;
const KEPT = 60_000;

/** A frame, the number of its refresh, and what the lanes showed and stepped in it. */
interface LiveFrame {
  readonly frame: DisplayFrame;
  readonly refresh: number;
  readonly shows: readonly { readonly shown: number; readonly steps: number }[];
}

/** The lanes before a display that is being measured. */
export class Live {
  /** What is seen of the last ten seconds. */
  run: Run;
  /** How far stamps are off the refreshes that were found in them, in milliseconds; NaN if none were. */
  noise = NaN;
  /** Milliseconds between two refreshes; 0 before they are known. */
  #period = 0;
  #frames: LiveFrame[] = [];
  #pacers: Pacer[];
  #began = NaN;

  constructor(readonly rate: number) {
    this.run = new Run(rate, 0, true);
    this.#pacers = this.#start();
  }

  /** Whether there is enough to tell anything. */
  get isWarm(): boolean {
    return this.#last - this.#began > WARM_UP + 500;
  }

  /** Takes a frame. After a stall, or a pause, all begins again. */
  add({ stamp, now }: Beat): void {
    const elapsed = stamp - this.#last;
    if (elapsed <= 0) return;
    if (!(elapsed < STALL)) {
      this.#frames = [];
      this.#pacers = this.#start();
      this.run = new Run(this.rate, 0, true);
      this.#period = 0;
      this.#began = stamp;
    }
    const before = this.#frames.at(-1);
    // As the lattice was when it was fitted last; without one, each frame is a refresh.
    const isEven = this.#period > 0 && !Number.isNaN(this.noise);
    const refreshes = isEven ? Math.max(1, Math.round(elapsed / this.#period)) : 1;
    const vsync = before && isEven ? before.frame.vsync + refreshes * this.#period : stamp;
    const frame = { stamp, now, vsync, refreshes };
    const shows = this.#pacers.map((pacer) => pacer(frame));
    this.#frames.push({ frame, refresh: before ? before.refresh + refreshes : 0, shows });
    if (this.#period) this.run.add(frame, shows);
  }

  /** Finds the refreshes in what has come of late; everything is then seen by them. */
  fit(): void {
    const end = this.#last;
    while (this.#frames.length > 0 && this.#frames[0]!.frame.stamp < end - KEPT) this.#frames.shift();
    if (!this.isWarm) return;
    const isRecent = (stamp: number) => stamp > this.#began + WARM_UP && stamp >= end - RECENT;
    const from = this.#frames.findIndex(({ frame }) => isRecent(frame.stamp));
    const recent = this.#frames.slice(from);
    if (recent.length < 3) return;
    const { period, vsyncs, counts, noise } = findRefreshes(recent.map(({ frame }) => frame.stamp));
    this.#period = period;
    this.noise = noise;
    let { refresh } = recent[0]!;
    this.run = new Run(this.rate, refresh, true);
    recent.forEach(({ frame: { stamp, now }, shows }, index) => {
      const refreshes = counts[index]!;
      if (index > 0) refresh += refreshes;
      const frame = { stamp, now, vsync: vsyncs[index]!, refreshes };
      this.#frames[from + index] = { frame, refresh, shows };
      this.run.add(frame, shows);
    });
  }

  /** What was recorded in the last minute. */
  trace(ua: string): Trace {
    const frames = this.#frames.map(({ frame }) => frame);
    return { ua, T: frames.map(({ stamp }) => stamp), N: frames.map(({ now }) => now) };
  }

  get #last(): number {
    return this.#frames.at(-1)?.frame.stamp ?? NaN;
  }

  #start(): Pacer[] {
    return LANES.map(({ pacing }) => pacing.start(this.rate));
  }
}
