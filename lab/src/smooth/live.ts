import type { DisplayFrame } from "../../../scenes/display.js";
import type { Pacer } from "../../../scenes/pacing.js";
import type { FrameTimes } from "../pulse.js";
import { LANES } from "./lanes.js";
import { findRefreshes, STALL } from "./lattice.js";
import { Run } from "./run.js";
import type { Trace } from "./trace.js";

/** Milliseconds that the lanes need to lock on to the display. */
const WARM_UP = 2000;
/** Milliseconds that the figures cover. */
const RECENT = 10_000;
/** Milliseconds kept for a trace file. */
const MAX_TRACE = 60_000;

/** A frame, the number of its refresh, and each lane's shown time and steps. */
interface LiveFrame {
  readonly frame: DisplayFrame;
  readonly refresh: number;
  readonly shows: readonly { readonly shown: number; readonly steps: number }[];
}

/** Runs the lanes on the visitor's display while measuring it. */
export class Live {
  /** The last ten seconds. */
  run: Run;
  /** Deviation of the timestamps from the fitted refreshes, in milliseconds; NaN if none fit. */
  noise = NaN;
  /** Milliseconds between two refreshes; 0 until known. */
  #period = 0;
  #frames: LiveFrame[] = [];
  #pacers: Pacer[];
  #began = NaN;

  constructor(readonly rate: number) {
    this.run = new Run(rate, 0, true);
    this.#pacers = this.#start();
  }

  /** Whether there is enough data for figures. */
  get isWarm(): boolean {
    return this.#last - this.#began > WARM_UP + 500;
  }

  /** Adds a frame. Starts over after a stall or a pause. */
  add({ stamp, now }: FrameTimes): void {
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
    // Uses the last fitted lattice; without one, each frame counts as a refresh.
    const isEven = this.#period > 0 && !Number.isNaN(this.noise);
    const refreshes = isEven ? Math.max(1, Math.round(elapsed / this.#period)) : 1;
    const vsync = before && isEven ? before.frame.vsync + refreshes * this.#period : stamp;
    const frame = { stamp, now, vsync, refreshes };
    const shows = this.#pacers.map((pacer) => pacer(frame));
    this.#frames.push({ frame, refresh: before ? before.refresh + refreshes : 0, shows });
    if (this.#period) this.run.add(frame, shows);
  }

  /** Fits the refreshes to the recent frames, and rebuilds `run` from them. */
  fit(): void {
    const end = this.#last;
    while (this.#frames.length > 0 && this.#frames[0]!.frame.stamp < end - MAX_TRACE) this.#frames.shift();
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

  /** Returns the trace of the last minute. */
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
