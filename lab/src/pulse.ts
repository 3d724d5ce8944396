import { browserDriver, Loop } from "tickwise";

/** Longer gaps are cut: a debugger must not make the lab leap. */
const LONGEST = 0.1;

/** When a frame of the visitor's display was, in milliseconds: by its stamp, and by the clock as its callback began. */
export interface Beat {
  readonly stamp: number;
  readonly now: number;
}

/** Calls with the real seconds of every frame; a hidden page gets none. Returns the function that ends it. */
export function pulse(beat: (seconds: number, frame: Beat) => void): () => void {
  const display = browserDriver();
  let frame: Beat = { stamp: 0, now: 0 };
  const loop = new Loop({
    rate: 60,
    maxFrameTime: LONGEST,
    driver: {
      ...display,
      start(callback, host) {
        display.start((stamp, afresh) => {
          // Read first of all, as a loop would.
          frame = { stamp, now: performance.now() };
          callback(stamp, afresh);
        }, host);
      },
    },
    render({ delta }) {
      if (delta > 0) beat(delta, frame);
    },
  });
  loop.start();
  return () => loop.stop();
}
