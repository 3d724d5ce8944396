import type { DisplayRecording } from "../../../lab/src/recording/recording.js";

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
  /** Goes to the next frame. Returns the seconds since the last one. */
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

  next(): number {
    this.count++;
    return 1 / this.fps;
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
    return this.#timeOf(this.count);
  }
  get due(): number {
    return this.#timeOf(this.count + 1);
  }

  next(): number {
    const { time } = this;
    this.count++;
    return this.time - time;
  }

  #timeOf(index: number): number {
    return this.#recording.stampAt(index) / 1000;
  }
}

/** Returns the frames of a recorded display, or else of a simulated one. */
export const framesOf = (fps: number, recording?: DisplayRecording): FrameSource =>
  recording ? new RecordedFrames(recording) : new Frames(fps);
