/** Loops count in whole microseconds. */
const MICROSECONDS = 1e6;

/** The frames of a simulated display, evenly spaced. */
export class Frames {
  /** Frames so far. */
  count = 0;
  readonly fps: number;

  constructor(fps: number) {
    this.fps = fps;
  }

  /** The time of the last frame. */
  get time(): number {
    return this.count / this.fps;
  }
  /** The time of the next frame. */
  get due(): number {
    return (this.count + 1) / this.fps;
  }

  /**
   * Goes to the next frame. Returns the seconds since the last one, in whole microseconds: rounded up in total, so that a step that
   * is due with a frame is taken in it, and not in the next one.
   */
  next(): number {
    const before = this.#rounded;
    this.count++;
    return (this.#rounded - before) / MICROSECONDS;
  }

  get #rounded(): number {
    // 3 × 1/60 s must not become 50,001 µs.
    return Math.ceil((this.count * MICROSECONDS) / this.fps - 1e-3);
  }
}
