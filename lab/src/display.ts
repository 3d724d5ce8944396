/** Settings of a simulated display. */
export interface DisplaySettings {
  /** Frames per second. */
  readonly fps: number;
  /** Jitter in percent of a frame; at 100, neighbouring frames can touch. */
  readonly jitter: number;
  /** Seed of the jitter. Default: 1. */
  readonly seed?: number;
}

/**
 * A simulated display, slower or faster than the real one. Its frames are a pure function of its
 * settings, so a link or a test can reproduce them.
 */
export class Display {
  /** Frames so far. */
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
    this.#due = this.#timeOf(1);
  }

  /** The time of the next frame. */
  get due(): number {
    return this.#due;
  }

  /** Goes to the next frame; returns the seconds since the last one. */
  next(): number {
    const seconds = this.#due - this.time;
    this.time = this.#due;
    this.frames++;
    this.#due = this.#timeOf(this.frames + 1);
    return seconds;
  }

  /** Delays the next frame and all that follow. */
  stall(seconds: number): void {
    this.#stalled += seconds;
    this.#due += seconds;
  }

  #timeOf(frame: number): number {
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
