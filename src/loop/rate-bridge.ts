import type { FrameInfo } from "./info.js";

/**
 * Keeps the picture continuous when the rate changes between two steps. The last two states are as far apart as a step was
 * before, and the next one comes after a step of the new length: until then, the picture moves evenly from where it was to the
 * newest state.
 */
export class RateBridge {
  readonly shownTime: number;
  private readonly alpha: number;

  /**
   * The picture was as described, between two states that are `dt` seconds apart, and the next step was due after `left` units
   * of the new rate.
   */
  constructor(
    { alpha, shownTime }: FrameInfo,
    readonly dt: number,
    private readonly left: number,
  ) {
    this.alpha = alpha;
    this.shownTime = shownTime;
  }

  /** Where the picture is if the next step is due after `left` units. */
  alphaAt(left: number): number {
    const part = this.left > 0 ? Math.min(1, Math.max(0, left / this.left)) : 1;
    return 1 - (1 - this.alpha) * part;
  }
}
