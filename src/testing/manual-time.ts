import { badValue, misuse, requireNumber } from "../errors/index.js";
import type { FrameSource } from "../loop/index.js";

/** Time that a test controls. */
export interface ManualTime {
  /** The current time, in milliseconds. */
  readonly time: number;
  /** Advances time, then runs a frame. Before the first frame, another one sets the loop's clock. */
  wait(seconds: number): void;
  /** Runs frames at these timestamps, in milliseconds. As in real recordings, they may stall or go back. */
  play(timestamps: Iterable<number>): void;
  /**
   * Runs the frames of a display with this refresh rate, for some seconds. The very first one sets the loop's clock. A frame that
   * takes longer than a refresh delays the next one, as on a real display.
   */
  display(hertz: number, seconds: number): void;
  /** Advances time without a frame. Called from a callback, it simulates the cost of that callback. */
  spend(seconds: number): void;
}

/** Frames that run when a test says so. Errors name `call`. */
export class ManualFrames implements FrameSource, ManualTime {
  time: number;
  #frame: ((timestamp: number) => void) | undefined;
  /** No frame has run since the start. The first one only sets the loop's clock. */
  #isFirst = true;
  readonly #call: string;

  constructor(call: string, time: number) {
    requireNumber(`${call}: time`, time, -1e15, 1e15, 0);
    this.#call = call;
    this.time = time;
  }

  begin(frame: (timestamp: number) => void): () => void {
    this.#frame = frame;
    this.#isFirst = true;
    return () => (this.#frame = undefined);
  }

  now(): number {
    return this.time;
  }

  wait(seconds: number): void {
    this.#requireSeconds(seconds);
    if (this.#isFirst && seconds > 0) this.#run(this.time);
    this.time += seconds * 1000;
    this.#run(this.time);
  }

  play(timestamps: Iterable<number>): void {
    if (typeof timestamps?.[Symbol.iterator] !== "function")
      badValue(`${this.#call}.play: timestamps`, "a list of milliseconds", timestamps, "[0, 16.7, 33.3]");
    this.#requireStarted();
    for (const timestamp of timestamps) {
      // A callback may stop the loop.
      if (!this.#frame) return;
      if (Number.isFinite(timestamp)) this.time = timestamp;
      this.#run(timestamp);
    }
  }

  display(hertz: number, seconds: number): void {
    requireNumber(`${this.#call}.display: hertz`, hertz, 1e-3, 1e6, 60);
    requireNumber(`${this.#call}.display: seconds`, seconds, 0, 1e9, 1);
    this.#requireStarted();
    const start = this.time;
    const refresh = 1000 / hertz;
    let shown = 0;
    if (this.#isFirst) this.#run(start);
    while (this.#frame && shown * refresh <= seconds * 1000 - refresh / 2) {
      // A late frame skips the refreshes that it missed.
      shown = Math.max(shown + 1, Math.ceil((this.time - start) / refresh - 1e-9));
      this.time = start + shown * refresh;
      this.#run(this.time);
    }
  }

  spend(seconds: number): void {
    this.#requireSeconds(seconds);
    this.time += seconds * 1000;
  }

  #requireSeconds(seconds: number): void {
    requireNumber(`${this.#call}: seconds`, seconds, 0, 1e9, "1 / 60");
  }

  #requireStarted(): void {
    if (!this.#frame) misuse("not-ready", this.#call, "no loop is running", "Call loop.start(driver) first");
  }

  #run(timestamp: number): void {
    this.#requireStarted();
    this.#isFirst = false;
    this.#frame!(timestamp);
  }
}
