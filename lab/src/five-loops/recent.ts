/** Measurements of one frame of a lane. */
interface FrameSample {
  /** The display's time, in seconds. */
  readonly time: number;
  readonly x: number;
  readonly steps: number;
  /** Distance between the ball as drawn and the exact solution. */
  readonly distance: number;
  /** Seconds that the picture advanced too far (+) or too little (-). */
  readonly slip: number;
}

/** Enough for the strip chart, and for one second of the fastest display. */
const MAX_FRAMES = 240;

/** The latest frames of a lane. */
export class Recent {
  readonly frames: FrameSample[] = [];

  add(frame: FrameSample): void {
    this.frames.push(frame);
    if (this.frames.length > MAX_FRAMES) this.frames.shift();
  }

  /** Mean distance over the last second. */
  get distance(): number {
    return mean(this.#lastSecond().map(({ distance }) => distance));
  }

  /** Unevenness of the motion in the last second: the standard deviation of the slip, in seconds. */
  get unevenness(): number {
    const slips = this.#lastSecond().map(({ slip }) => slip);
    const average = mean(slips);
    return Math.sqrt(mean(slips.map((slip) => (slip - average) ** 2)));
  }

  #lastSecond(): FrameSample[] {
    const from = (this.frames.at(-1)?.time ?? 0) - 1;
    return this.frames.filter(({ time }) => time > from);
  }
}

const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / (values.length || 1);
