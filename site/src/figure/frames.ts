import type { DisplayRecording } from "../../../lab/src/recording/recording.js";

/** Loops count in whole microseconds. */
const MICROSECONDS = 1e6;

/** The frames of a display: simulated or recorded. Times are in seconds. */
export interface FrameSource {
  /** Frames so far. */
  readonly count: number;
  /** Frames per second; of a recording, refreshes per second, with two decimals. */
  readonly fps: number;
  /** The time of the last frame. */
  readonly time: number;
  /** The time of the next frame. */
  readonly due: number;
  /** Goes to the next frame. Returns the seconds since the last one, in whole microseconds. */
  next(): number;
}

/** The frames of a simulated display, evenly spaced. */
export class Frames implements FrameSource {
  count = 0;
  readonly fps: number;

  constructor(fps: number) {
    this.fps = fps;
  }

  get time(): number {
    return this.count / this.fps;
  }
  get due(): number {
    return (this.count + 1) / this.fps;
  }

  /** Rounded up in total, so that a step that is due with a frame is taken in it, and not in the next one. */
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

/** The frames of a real display, as a page has recorded them; again from the start when they end. */
class RecordedFrames implements FrameSource {
  count = 0;
  readonly fps: number;
  readonly #recording: DisplayRecording;

  constructor(recording: DisplayRecording) {
    this.#recording = recording;
    this.fps = Math.round(recording.rate * 100) / 100;
  }

  get time(): number {
    return this.#timeOf(this.count) / MICROSECONDS;
  }
  get due(): number {
    return this.#timeOf(this.count + 1) / MICROSECONDS;
  }

  next(): number {
    const before = this.#timeOf(this.count++);
    return (this.#timeOf(this.count) - before) / MICROSECONDS;
  }

  #timeOf(index: number): number {
    return Math.round(1000 * this.#recording.stampAt(index));
  }
}

/** Returns the frames of a recorded display, or else of a simulated one. */
export const framesOf = (fps: number, recording?: DisplayRecording): FrameSource =>
  recording ? new RecordedFrames(recording) : new Frames(fps);
