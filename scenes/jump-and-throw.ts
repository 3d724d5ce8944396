// Motion that every game has, at different frame rates. Speeds are those of the technique sheet, in pixels per second; y points up.
import { playFrames, type Frames } from "./at-frame-rate.js";

const GRAVITY = 980;
const JUMP = 400;
const THROW = 600;
/** Speed that a bounce keeps. */
const BOUNCE = 0.7;

/** The exact height of the jump. */
export const JUMP_HEIGHT = (JUMP * JUMP) / (2 * GRAVITY);

type Play = Omit<Frames, "seconds">;

/** Which comes first in a step: velocity (semi-implicit Euler) or position (explicit Euler). Velocity Verlet uses the mean of both. */
export type Order = "velocity first" | "position first" | "mean";

/** Returns the height of a jump. */
export function jump(frames: Play, order: Order = "velocity first"): number {
  let [y, v, top] = [0, JUMP, 0];
  playFrames({ ...frames, seconds: 1 }, (dt) => {
    const before = v;
    v -= GRAVITY * dt;
    y += (order === "velocity first" ? v : order === "position first" ? before : (before + v) / 2) * dt;
    top = Math.max(top, y);
  });
  return top;
}

/** Returns how far a ball flies that is thrown at 45 degrees: where the first step finds it on the ground. */
export function throwBall(frames: Play): number {
  return bounce(frames, 1);
}

/** Returns where a thrown ball touches the ground for the n-th time. */
export function bounce(frames: Play, times: number): number {
  let [x, y, vy, left] = [0, 0, THROW * Math.SQRT1_2, times];
  playFrames({ ...frames, seconds: 10 }, (dt) => {
    if (left === 0) return;
    vy -= GRAVITY * dt;
    x += THROW * Math.SQRT1_2 * dt;
    y += vy * dt;
    if (y > 0 || vy > 0) return;
    y = 0;
    vy *= -BOUNCE;
    left--;
  });
  if (left > 0) throw new Error(`${left} bounces are missing`);
  return x;
}
