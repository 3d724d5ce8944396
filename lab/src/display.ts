/** How a display hands out frames. */
export interface DisplaySettings {
  /** Frames a second. */
  readonly fps: number;
  /** How far a frame may fall from its place, in percent of a frame: 100 lets neighbours touch. */
  readonly jitter: number;
  /** What its jitter begins with. Default 1. */
  readonly seed?: number;
}

/**
 * A display of its own, slower or faster than the real one. Which frames it gives is a pure function
 * of its settings, so that a link or a test can repeat them; only when they are due needs a clock.
 */
export class Display {
  /** Frames given. */
  frames = 0;
  /** The time of the last frame, in seconds. */
  time = 0;
  #due: number;
  #stalled = 0;
  readonly #random: () => number;
  readonly #settings: DisplaySettings;

  constructor(settings: DisplaySettings) {
    this.#settings = settings;
    this.#random = random(settings.seed ?? 1);
    this.#due = this.#place(1);
  }

  /** The time of the next frame. */
  get due(): number {
    return this.#due;
  }

  /** Gives the next frame: the seconds since the last. */
  next(): number {
    const seconds = this.#due - this.time;
    this.time = this.#due;
    this.frames++;
    this.#due = this.#place(this.frames + 1);
    return seconds;
  }

  /** Holds the picture for so long: the next frame, and all that follow, come later. */
  stall(seconds: number): void {
    this.#stalled += seconds;
    this.#due += seconds;
  }

  #place(frame: number): number {
    const { fps, jitter } = this.#settings;
    const off = (this.#random() - 0.5) * (jitter / 100);
    return this.#stalled + (frame + off) / fps;
  }
}

/** Mulberry32: small, and the same numbers everywhere. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}
