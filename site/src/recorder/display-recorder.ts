import type { FrameTimes } from "../../../lab/src/pulse.js";
import { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { STALL } from "../../../lab/src/smooth/lattice.js";

/** Seconds of a recording. */
export const SECONDS = 10;
/** Milliseconds before it: the click that starts it disturbs the first frames. */
const SETTLE = 500;

/** Collects the timestamps of the frames of this page. */
export class DisplayRecorder {
  readonly T: number[] = [];
  readonly #N: number[] = [];
  /** When the first frame came, and the last one. */
  #first = NaN;
  #last = NaN;
  /** How often the recording started again after a gap without frames: the page was hidden or busy. */
  restarts = 0;

  /** Adds a frame, if the recording is not complete yet. */
  add({ stamp, now }: FrameTimes): void {
    if (this.isComplete) return;
    if (stamp - this.#last > STALL) {
      this.restarts++;
      this.T.length = this.#N.length = 0;
      this.#first = NaN;
    }
    this.#last = stamp;
    if (Number.isNaN(this.#first)) this.#first = stamp;
    if (stamp - this.#first < SETTLE) return;
    this.T.push(stamp);
    this.#N.push(now);
  }

  /** Seconds that are recorded. */
  get seconds(): number {
    const { T } = this;
    return T.length > 0 ? (T.at(-1)! - T[0]!) / 1000 : 0;
  }
  get isComplete(): boolean {
    return this.seconds >= SECONDS;
  }

  /** Returns what was recorded. `ua` is the user agent of the browser. Throws `TraceError` if these are not the frames of a display. */
  recording(ua: string): DisplayRecording {
    return new DisplayRecording({ ua, T: this.T, N: this.#N });
  }
}
