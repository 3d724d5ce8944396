/** What one frame of a lane showed. */
export interface Shown {
  /** The display's time, in seconds. */
  readonly time: number;
  readonly x: number;
  readonly steps: number;
  /** How far the ball was drawn from the exact solution. */
  readonly distance: number;
  /** Seconds that the picture moved on beyond those that it should have. */
  readonly slip: number;
}

/** Enough for the strip chart, and for a second of the fastest display. */
const KEPT = 240;

/** The latest frames of a lane. */
export class Recent {
  readonly frames: Shown[] = [];

  add(shown: Shown): void {
    this.frames.push(shown);
    if (this.frames.length > KEPT) this.frames.shift();
  }

  /** Mean distance over the last second. */
  get distance(): number {
    return mean(this.#lastSecond().map(({ distance }) => distance));
  }

  /** How uneven the motion was in the last second: the standard deviation of the slip, in seconds. */
  get unevenness(): number {
    const slips = this.#lastSecond().map(({ slip }) => slip);
    const usual = mean(slips);
    return Math.sqrt(mean(slips.map((slip) => (slip - usual) ** 2)));
  }

  #lastSecond(): Shown[] {
    const from = (this.frames.at(-1)?.time ?? 0) - 1;
    return this.frames.filter(({ time }) => time > from);
  }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
