import type { DisplayFrame } from "../../../scenes/display.js";
import type { Pacer } from "../../../scenes/pacing.js";
import type { Beat } from "../pulse.js";
import { LANES } from "./lanes.js";
import { fitLattice } from "./lattice.js";
import { Run, STALL } from "./run.js";
import type { Trace } from "./trace.js";

/** Milliseconds: in which the lanes get to know the display; that figures are of; that are kept for a file. */
const WARM_UP = 2000;
const RECENT = 10_000;
const KEPT = 60_000;

interface LiveFrame extends Beat {
  readonly refresh: number;
  readonly shows: readonly { readonly shown: number; readonly steps: number }[];
}

/** The lanes before a display that is being measured. */
export class Live {
  /** What is seen of the last ten seconds. */
  run: Run;
  period = NaN;
  /** How far stamps are off the lattice, in milliseconds. */
  noise = NaN;
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
      this.period = this.noise = NaN;
      this.#began = stamp;
    }
    const before = this.#frames.at(-1);
    // Until the lattice is fitted, each is one.
    const refreshes = Math.max(1, Math.round(elapsed / this.period) || 1);
    const refresh = before ? before.refresh + refreshes : 0;
    const frame = this.#frameOf({ stamp, now }, refresh, before ? refreshes : 1);
    const shows = this.#pacers.map((pacer) => pacer(frame));
    this.#frames.push({ stamp, now, refresh, shows });
    if (this.period) this.run.add(frame, shows);
  }

  /** Fits the lattice to what has come of late; everything is then seen by it. */
  fit(): void {
    const end = this.#last;
    while (this.#frames.length > 0 && this.#frames[0]!.stamp < end - KEPT) this.#frames.shift();
    if (!this.isWarm) return;
    const from = this.#frames.findIndex(
      ({ stamp }) => stamp > this.#began + WARM_UP && stamp >= end - RECENT,
    );
    const recent = this.#frames.slice(from);
    if (recent.length < 3) return;
    const { period, refreshes, noise } = fitLattice(recent.map(({ stamp }) => stamp));
    this.period = period;
    this.noise = noise;
    const { refresh: first } = recent[0]!;
    this.run = new Run(this.rate, first, true);
    recent.forEach((frame, index) => {
      const refresh = first + refreshes[index]!;
      const count = index ? refreshes[index]! - refreshes[index - 1]! : 1;
      this.#frames[from + index] = { ...frame, refresh };
      this.run.add(this.#frameOf(frame, refresh, count), frame.shows);
    });
  }

  /** What was recorded in the last minute. */
  trace(ua: string): Trace {
    return { ua, T: this.#frames.map(({ stamp }) => stamp), N: this.#frames.map(({ now }) => now) };
  }

  get #last(): number {
    return this.#frames.at(-1)?.stamp ?? NaN;
  }

  #start() {
    return LANES.map(({ pacing }) => pacing.start(this.rate));
  }

  #frameOf({ stamp, now }: Beat, refresh: number, refreshes: number): DisplayFrame {
    return { stamp, now, vsync: refresh * (this.period || 0), refreshes };
  }
}
