import { Loop } from "../src/index.js";
import { variable } from "../src/loop/stepping.js";

/** How a game steps: once per frame, by as long as the frame was; or at a fixed rate. */
export type Steps = "variable" | "fixed";

export interface Frames {
  /** Frames per second. */
  readonly fps: number;
  readonly seconds: number;
  readonly steps: Steps;
  /** Fixed steps per second. Default 60. */
  readonly rate?: number;
  /** Seconds that one frame of each second takes longer. Default 0. */
  readonly hitch?: number;
}

/** Plays a game on a display with this frame rate, in virtual time. `frame` runs before the steps of each frame. */
export function playFrames(
  { fps, seconds, steps, rate = 60, hitch = 0 }: Frames,
  step: (dt: number, tick: number) => void,
  frame: (time: number) => void = () => {},
): void {
  const loop = new Loop({
    rate,
    ...(steps === "variable" ? { stepping: variable() } : {}),
    step: ({ dt, tick }) => step(dt, tick),
  });
  let time = 0;
  for (let n = 1; time < seconds - 1e-9; n++) {
    const isHitch = hitch > 0 && Math.floor(time) < Math.floor(time + 1 / fps + hitch);
    const length = 1 / fps + (isHitch ? hitch : 0);
    // Computed, not summed, as long as there are no hitches.
    time = hitch > 0 ? time + length : n / fps;
    frame(time);
    loop.advance(length);
  }
}
