import type { Display } from "../display.js";
import type { DisplayRecording } from "./recording.js";

/** A recorded display, in place of a simulated one. */
export class RecordedDisplay implements Pick<Display, "frames" | "time" | "due" | "next" | "stall"> {
  frames = 0;
  time = 0;
  #stalled = 0;
  readonly #recording: DisplayRecording;

  constructor(recording: DisplayRecording) {
    this.#recording = recording;
  }

  get due(): number {
    return this.#stalled + this.#recording.stampAt(this.frames + 1) / 1000;
  }

  next(): number {
    const { due } = this;
    const seconds = due - this.time;
    this.time = due;
    this.frames++;
    return seconds;
  }

  stall(seconds: number): void {
    this.#stalled += seconds;
  }
}
