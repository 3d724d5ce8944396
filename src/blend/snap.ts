import { requireNumber } from "../errors/index.js";

/** So that two things that move together do not round apart at a half, by what their blending rounded. */
const BIAS = 0.5 + 2 ** -20;

/** Rounds to whole pixels: sprites and the camera alike, after blending. */
export function snap(value: number, pixel = 1): number {
  requireNumber("snap: value", value, -1e15, 1e15, "shown.x");
  requireNumber("snap: pixel", pixel, 1e-9, 1e9, 1);
  // Plus zero, so that there is no -0.
  return Math.floor(value / pixel + BIAS) * pixel + 0;
}
