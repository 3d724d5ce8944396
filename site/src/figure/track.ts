/** Frames, steps and gaps that are kept. */
const FRAMES = 2048;
const MARKS = 4096;

/** What was shown lately: each frame with its picture, each step, and the time that was lost. For the strip, and to look back. */
export class Track {
  /** Numbers per picture. */
  readonly size: number;
  frames = 0;
  steps = 0;
  losses = 0;
  corrections = 0;
  readonly #times = new Float64Array(FRAMES);
  readonly #shown = new Float64Array(FRAMES);
  readonly #truth = new Float64Array(FRAMES);
  readonly #pictures: Float64Array;
  readonly #views: Float64Array[];
  readonly #steps = new Float64Array(MARKS);
  readonly #lossFrom = new Float64Array(MARKS);
  readonly #lossTo = new Float64Array(MARKS);
  readonly #corrections = new Float64Array(MARKS);

  constructor(size: number) {
    this.size = size;
    this.#pictures = new Float64Array(FRAMES * size);
    this.#views = Array.from({ length: FRAMES }, (_, i) => this.#pictures.subarray(i * size, (i + 1) * size));
  }

  /** Adds a frame. Returns its picture, to be filled in. `shown` and `truth` are what the strip shows: where it was drawn, and where it should have been. */
  frame(time: number, shown: number, truth: number): Float64Array {
    const slot = this.frames++ % FRAMES;
    this.#times[slot] = time;
    this.#shown[slot] = shown;
    this.#truth[slot] = truth;
    return this.#views[slot]!;
  }

  /** A step was taken. */
  step(time: number): void {
    this.#steps[this.steps++ % MARKS] = time;
  }

  /** Time was lost: from one moment to another, nothing of the game happened. */
  lost(from: number, to: number): void {
    const slot = this.losses++ % MARKS;
    this.#lossFrom[slot] = from;
    this.#lossTo[slot] = to;
  }

  /** What was shown was corrected. */
  corrected(time: number): void {
    this.#corrections[this.corrections++ % MARKS] = time;
  }

  get firstFrame(): number {
    return Math.max(0, this.frames - FRAMES);
  }
  timeOf(frame: number): number {
    return this.#times[frame % FRAMES]!;
  }
  shownOf(frame: number): number {
    return this.#shown[frame % FRAMES]!;
  }
  truthOf(frame: number): number {
    return this.#truth[frame % FRAMES]!;
  }
  pictureOf(frame: number): Float64Array {
    return this.#views[frame % FRAMES]!;
  }

  /** Returns the last frame that was shown at a time; -1 if there is none. */
  frameAt(time: number): number {
    let [low, high] = [this.firstFrame, this.frames - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.timeOf(middle) <= time) low = middle;
      else high = middle - 1;
    }
    return low <= high ? low : -1;
  }

  /** Calls back with each step since a time, the newest first. */
  eachStep(since: number, call: (time: number) => void): void {
    for (let i = this.steps - 1; i >= Math.max(0, this.steps - MARKS); i--) {
      const time = this.#steps[i % MARKS]!;
      if (time < since) return;
      call(time);
    }
  }

  eachLoss(since: number, call: (from: number, to: number) => void): void {
    for (let i = this.losses - 1; i >= Math.max(0, this.losses - MARKS); i--) {
      if (this.#lossTo[i % MARKS]! < since) return;
      call(this.#lossFrom[i % MARKS]!, this.#lossTo[i % MARKS]!);
    }
  }

  eachCorrection(since: number, call: (time: number) => void): void {
    for (let i = this.corrections - 1; i >= Math.max(0, this.corrections - MARKS); i--) {
      const time = this.#corrections[i % MARKS]!;
      if (time < since) return;
      call(time);
    }
  }
}
