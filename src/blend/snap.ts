import { requireNumber } from "../errors/index.js";

/** Slightly above a half, so that rounding errors of a blend do not push two objects that move together to different pixels. */
const BIAS = 0.5 + 2 ** -20;

/** Rounds a blended value to whole pixels. Use it for sprites and for the camera. */
export function snap(value: number, pixel = 1): number {
  requireNumber("snap: value", value, -1e15, 1e15, "shown.x");
  requireNumber("snap: pixel", pixel, 1e-9, 1e9, 1);
  // + 0 turns -0 into 0.
  return Math.floor(value / pixel + BIAS) * pixel + 0;
}
