import { display, Loop } from "tickwise";

/** Longest frame in seconds: a breakpoint must not make the lab jump. */
const MAX_FRAME_TIME = 0.1;

/** The times of a real frame in milliseconds: its requestAnimationFrame timestamp, and the clock when its callback ran. */
export interface FrameTimes {
  readonly stamp: number;
  readonly now: number;
}

/** Calls `onFrame` with the real seconds of every frame, while the page is visible. Returns the function that stops it. */
export function pulse(onFrame: (seconds: number, frame: FrameTimes) => void): () => void {
  const loop = new Loop({
    rate: 60,
    maxFrameTime: MAX_FRAME_TIME,
    render({ delta, timestamp }) {
      if (delta > 0) onFrame(delta, { stamp: timestamp, now: performance.now() });
    },
  });
  loop.start(display());
  return () => loop.stop();
}
