/** What the last second was like. */
export interface Frames {
  readonly perSecond: number;
  /** The longest time from one frame to the next, in milliseconds. */
  readonly longest: number;
}

/** Counts the frames of a thread. */
export class FrameMeter {
  readonly #report: (frames: Frames) => void;
  #count = 0;
  #longest = 0;
  #last = performance.now();
  #since = this.#last;

  /** `report` is called once per second. */
  constructor(report: (frames: Frames) => void) {
    this.#report = report;
  }

  /** Call it in every frame. */
  frame(): void {
    const now = performance.now();
    this.#count++;
    this.#longest = Math.max(this.#longest, now - this.#last);
    this.#last = now;
    const seconds = (now - this.#since) / 1000;
    if (seconds < 1) return;
    this.#report({ perSecond: Math.round(this.#count / seconds), longest: Math.round(this.#longest) });
    this.#count = this.#longest = 0;
    this.#since = now;
  }
}
