import type { Driver, OnFrame } from "../drivers/index.js";
import { badValue, misuse, requireFunction, requireNumber } from "../errors/index.js";

/** A driver with manual time, for tests and for recorded timestamps. */
export interface ManualDriver extends Driver {
  start(frame: OnFrame): void;
  /** The current time of the driver, in milliseconds. */
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

/** Creates a driver with manual time, which begins at `time` milliseconds. */
export function manualDriver(time = 0): ManualDriver {
  requireNumber("manualDriver: time", time, -1e15, 1e15, 0);
  let frame: OnFrame | undefined;
  /** No frame has run since the start. The first one only sets the loop's clock. */
  let isFirst = true;
  const run = (timestamp: number) => {
    isFirst = false;
    (frame ?? notStarted())(timestamp);
  };
  const notStarted = () =>
    misuse("not-ready", "manualDriver", "no loop is running", "Call loop.start() first");
  const spend = (call: string, seconds: number) => {
    requireNumber(`${call}: seconds`, seconds, 0, 1e9, "1 / 60");
    time += seconds * 1000;
  };
  return {
    get time() {
      return time;
    },
    start(callback) {
      requireFunction("manualDriver.start: frame", callback, "loop.start()");
      frame = callback;
      isFirst = true;
    },
    stop() {
      frame = undefined;
    },
    now: () => time,
    wait(seconds) {
      if (isFirst && seconds > 0) run(time);
      spend("manualDriver.wait", seconds);
      run(time);
    },
    play(timestamps) {
      if (typeof timestamps?.[Symbol.iterator] !== "function")
        badValue("manualDriver.play: timestamps", "a list of milliseconds", timestamps, "[0, 16.7, 33.3]");
      if (!frame) notStarted();
      for (const timestamp of timestamps) {
        // A callback may stop the loop.
        if (!frame) return;
        if (Number.isFinite(timestamp)) time = timestamp;
        run(timestamp);
      }
    },
    display(hertz, seconds) {
      requireNumber("manualDriver.display: hertz", hertz, 1e-3, 1e6, 60);
      requireNumber("manualDriver.display: seconds", seconds, 0, 1e9, 1);
      const start = time;
      const refresh = 1000 / hertz;
      let shown = 0;
      if (!frame) notStarted();
      if (isFirst) run(time);
      while (frame && shown * refresh <= seconds * 1000 - refresh / 2) {
        // A late frame skips the refreshes that it missed.
        shown = Math.max(shown + 1, Math.ceil((time - start) / refresh - 1e-9));
        time = start + shown * refresh;
        run(time);
      }
    },
    spend: (seconds) => spend("manualDriver.spend", seconds),
  };
}
