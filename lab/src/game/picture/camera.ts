import { damp, halfLife } from "tickwise/math";
import { LEVEL_HEIGHT, LEVEL_WIDTH } from "../../../../scenes/level.js";
import { wantsStillness } from "../../experiment.js";
import type { GameWorld } from "../story.js";

/** How soon half of the way to where it looks is gone, in seconds; and how far it looks ahead, in pixels. */
const HALF = 0.12;
const AHEAD = 34;
/** On a small canvas, so many of its pixels for one of the level at least: less would be too small to play. */
const LEAST_SCALE = 1.3;
/** From further away it does not travel: that was a jump in time, or a fall. */
const FAR = 260;

/** What is seen of the level: as much of its width and its height as there is room for. */
export class Camera {
  /** The left and the upper edge, in pixels of the level. */
  left = 0;
  top = 0;
  #x = NaN;
  #y = NaN;
  #ahead = 0;

  /** Follows the character, as far in so many seconds on every display; the same way back if time runs back. */
  follow({ player: { x, y, vx } }: GameWorld, seconds: number): void {
    const isStill = wantsStillness();
    const ahead = isStill ? 0 : AHEAD * Math.max(-1, Math.min(1, vx / 150));
    this.#ahead = damp(this.#ahead, ahead, halfLife(4 * HALF), seconds);
    const target = x + this.#ahead;
    const isThere = isStill || !(Math.abs(target - this.#x) < FAR);
    this.#x = isThere ? target : damp(this.#x, target, halfLife(HALF), seconds);
    this.#y = isThere ? y : damp(this.#y, y, halfLife(HALF), seconds);
  }

  /** Pixels of the canvas for one of the level, on a canvas of this size; sets the edges. */
  frame(width: number, height: number): number {
    const scale = Math.max(height / LEVEL_HEIGHT, width / LEVEL_WIDTH, LEAST_SCALE);
    this.left = edge(this.#x, width / scale, LEVEL_WIDTH);
    this.top = edge(this.#y, height / scale, LEVEL_HEIGHT);
    return scale;
  }
}

/** Where so much room around a place begins, within the level. */
const edge = (place: number, room: number, size: number) =>
  Math.min(size - room, Math.max(0, place - room / 2));
