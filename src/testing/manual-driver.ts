import type { Driver, OnFrame } from "../drivers/index.js";
import { badValue, requireNumber, requireType } from "../errors/index.js";

/** A driver whose time passes only when told: for tests, and for what plays back recorded time. */
export interface ManualDriver extends Driver {
  start(frame: OnFrame): void;
  /** Its own time, in milliseconds. */
  readonly time: number;
  /** Lets time pass and gives a frame. The very first is preceded by one that sets the loop's clock. */
  wait(seconds: number): void;
  /** Gives frames at these timestamps, in milliseconds, as they were recorded: they may stall or step back. */
  play(timestamps: Iterable<number>): void;
  /**
   * Gives the frames of a display that refreshes so often, for so many seconds from now, where the
   * very first one sets the loop's clock. A frame that spends longer than a refresh makes the next
   * one late, as it does on a real display.
   */
  display(hertz: number, seconds: number): void;
  /** Lets time pass without a frame: what a callback costs, when called from inside one. */
  spend(seconds: number): void;
}

/** Makes a driver with a time of its own, which begins at so many milliseconds. */
export function manualDriver(time = 0): ManualDriver {
  requireNumber("manualDriver: time", time, -1e15, 1e15, 0);
  let frame: OnFrame | undefined;
  /** No frame has been given since the start: the first one only sets the loop's clock. */
  let isFirst = true;
  const give = (timestamp: number) => {
    isFirst = false;
    (frame ?? refuseUnstarted())(timestamp);
  };
  const refuseUnstarted = () =>
    badValue("manualDriver", "started by a loop", "one that is stopped", "loop.start() first");
  const spend = (call: string, seconds: number) => {
    requireNumber(`${call}: seconds`, seconds, 0, 1e9, "1 / 60");
    time += seconds * 1000;
  };
  return {
    get time() {
      return time;
    },
    start(callback) {
      requireType("manualDriver.start: frame", callback, "function", "loop.start()");
      frame = callback;
      isFirst = true;
    },
    stop() {
      frame = undefined;
    },
    now: () => time,
    wait(seconds) {
      if (isFirst && seconds > 0) give(time);
      spend("manualDriver.wait", seconds);
      give(time);
    },
    play(timestamps) {
      if (typeof timestamps?.[Symbol.iterator] !== "function")
        badValue("manualDriver.play: timestamps", "a list of milliseconds", timestamps, "[0, 16.7, 33.3]");
      if (!frame) refuseUnstarted();
      for (const timestamp of timestamps) {
        // A callback may stop the loop.
        if (!frame) return;
        if (Number.isFinite(timestamp)) time = timestamp;
        give(timestamp);
      }
    },
    display(hertz, seconds) {
      requireNumber("manualDriver.display: hertz", hertz, 1e-3, 1e6, 60);
      requireNumber("manualDriver.display: seconds", seconds, 0, 1e9, 1);
      const start = time;
      const refresh = 1000 / hertz;
      let shown = 0;
      if (!frame) refuseUnstarted();
      if (isFirst) give(time);
      while (frame && shown * refresh <= seconds * 1000 - refresh / 2) {
        // The next refresh that is still to come: a late frame skips those it missed.
        shown = Math.max(shown + 1, Math.ceil((time - start) / refresh - 1e-9));
        time = start + shown * refresh;
        give(time);
      }
    },
    spend: (seconds) => spend("manualDriver.spend", seconds),
  };
}
