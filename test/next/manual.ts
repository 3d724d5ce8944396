import {
  display,
  Loop,
  type DisplayOptions,
  type LoopOptions,
  type Screen,
} from "../../src/loop/next/index.js";

/** A loop on a display whose timestamps are passed in. */
export interface ManualScreen {
  readonly loop: Loop;
  readonly screen: Screen;
  /** Runs frames at these timestamps, in milliseconds. */
  play(timestamps: Iterable<number>): void;
  /** Lets time pass without a frame: inside a callback, its cost. */
  spend(milliseconds: number): void;
}

/** Starts a loop on a display with manual time. */
export function onScreen(
  options: LoopOptions,
  displayOptions: Omit<DisplayOptions, "frames"> = {},
): ManualScreen {
  const loop = new Loop(options);
  const { screen, play, spend } = manualScreen(displayOptions);
  loop.start(screen);
  return { loop, screen, play, spend };
}

/** A display with manual time, without a loop yet. */
export function manualScreen(options: Omit<DisplayOptions, "frames"> = {}) {
  let frame: ((timestamp: number) => void) | undefined;
  let time = 0;
  const screen = display({
    ...options,
    frames: {
      now: () => time,
      begin(onFrame) {
        frame = onFrame;
        return () => (frame = undefined);
      },
    },
  });
  return {
    screen,
    play(timestamps: Iterable<number>) {
      for (const timestamp of timestamps) {
        time = Math.max(time, timestamp);
        frame?.(timestamp);
      }
    },
    spend: (milliseconds: number) => void (time += milliseconds),
  };
}
