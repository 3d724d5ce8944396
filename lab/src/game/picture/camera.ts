import { damp, halfLife } from "tickwise/math";
import { LEVEL_HEIGHT, LEVEL_WIDTH } from "../../../../scenes/platformer.js";
import { wantsStillness } from "../../experiment.js";
import type { GameWorld } from "../story.js";

/** How soon half of the way to where it looks is gone, in seconds; and how far it looks ahead, in pixels. */
const HALF = 0.12;
const AHEAD = 34;
/** From further away it does not travel: that was a jump in time, or a fall. */
const FAR = 260;

/** What is seen of the level: all of its height, and as much of its width as there is room for. */
export class Camera {
  /** The left edge, in pixels of the level. */
  left = 0;
  #middle = NaN;
  #ahead = 0;

  /** Follows the character, as far in so many seconds on every display; the same way back if time runs back. */
  follow({ player: { x, vx } }: GameWorld, seconds: number): void {
    const isStill = wantsStillness();
    const ahead = isStill ? 0 : AHEAD * Math.max(-1, Math.min(1, vx / 150));
    this.#ahead = damp(this.#ahead, ahead, halfLife(4 * HALF), seconds);
    const target = x + this.#ahead;
    const isThere = isStill || !(Math.abs(target - this.#middle) < FAR);
    this.#middle = isThere ? target : damp(this.#middle, target, halfLife(HALF), seconds);
  }

  /** Pixels of the canvas for one of the level, on a canvas of this size; sets `left`. */
  frame(width: number, height: number): number {
    const scale = Math.max(height / LEVEL_HEIGHT, width / LEVEL_WIDTH);
    const room = width / scale;
    this.left = Math.min(LEVEL_WIDTH - room, Math.max(0, this.#middle - room / 2));
    return scale;
  }
}
