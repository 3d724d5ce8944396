import { damp, halfLife } from "tickwise/math";
import { LEVEL_HEIGHT, LEVEL_WIDTH } from "../../../../scenes/level.js";
import { prefersReducedMotion } from "../../experiment.js";
import type { GameWorld } from "../playthrough.js";

/** Half-life of the distance to the target, in seconds; look-ahead, in pixels. */
const HALF_LIFE = 0.12;
const AHEAD = 34;
/** Minimum canvas pixels per level pixel: smaller would be unplayable. */
const MIN_SCALE = 1.3;
/** Over longer distances the camera cuts instead of panning: after a seek or a fall. */
const CUT_DISTANCE = 260;

/** The visible part of the level: as much as fits the canvas. */
export class Camera {
  /** The left and top edges, in level pixels. */
  left = 0;
  top = 0;
  #x = NaN;
  #y = NaN;
  #ahead = 0;

  /** Follows the character, independently of the frame rate. */
  follow({ player: { x, y, vx } }: GameWorld, seconds: number): void {
    const isStill = prefersReducedMotion();
    const ahead = isStill ? 0 : AHEAD * Math.max(-1, Math.min(1, vx / 150));
    this.#ahead = damp(this.#ahead, ahead, halfLife(4 * HALF_LIFE), seconds);
    const target = x + this.#ahead;
    // Also true on the first call, when #x is NaN.
    const isCut = isStill || !(Math.abs(target - this.#x) < CUT_DISTANCE);
    this.#x = isCut ? target : damp(this.#x, target, halfLife(HALF_LIFE), seconds);
    this.#y = isCut ? y : damp(this.#y, y, halfLife(HALF_LIFE), seconds);
  }

  /** Sets the edges for a canvas of this size; returns canvas pixels per level pixel. */
  frame(width: number, height: number): number {
    const scale = Math.max(height / LEVEL_HEIGHT, width / LEVEL_WIDTH, MIN_SCALE);
    this.left = edge(this.#x, width / scale, LEVEL_WIDTH);
    this.top = edge(this.#y, height / scale, LEVEL_HEIGHT);
    return scale;
  }
}

/** The near edge of a window centred on `center`, kept within the level. */
const edge = (center: number, window: number, size: number) =>
  Math.min(size - window, Math.max(0, center - window / 2));
