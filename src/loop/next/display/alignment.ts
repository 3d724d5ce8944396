import { within } from "../../../time/index.js";
import type { DisplayClock } from "./display-clock.js";
import type { Loop } from "../loop.js";
import type { FrameTime, Part } from "../part.js";

/** How far from a whole ratio steps and refreshes may be to be aligned. */
const ALIGN = 0.0025;
/** The same while the display's period is not known well, and if its refreshes are the clock. */
const ALIGN_LOOSELY = 0.01;
/** From this many steps per frame on, any ratio is nearly whole. */
const MANY_STEPS = 40;
/** Frames in which a display is usually recognised. */
const START = 64;
/** How much the movement of a refresh may change to reach alignment, as a part of it: too little to see. */
const UNSEEN = 1 / 200;
/** The same for the return to the strict clock without alignment: slower, as nothing depends on it. */
const UNSEEN_FREE = 1 / 1000;

/**
 * Keeps steps in phase with the refreshes of a display. It lends the loop up to one step, so that a frame shows the newest
 * state and not the one before. If steps and refreshes are nearly in a whole ratio, each frame gets the same number of steps:
 * the shown time is then up to half a step from the strict clock, and moves to the next alignment too slowly to be seen.
 */
export class Alignment implements Part {
  /** The display's rate, if the loop's was taken from it: its refreshes are then the clock. */
  hertz = 0;
  /** Whether the display has been recognised, and the picture moved to where it belongs. */
  private isPlaced = false;
  /** Frames in which the display was not known, at the start. */
  private unknown = 0;
  /** Direction in which the lead moves to an alignment: 1, -1, or 0 if it is reached. */
  private direction = 0;

  constructor(
    private readonly loop: Loop,
    private readonly display: DisplayClock,
  ) {
    this.begin();
  }

  /** Half a step: until the display is known, jitter must not change the number of steps in a frame. */
  private begin(): void {
    const { kernel } = this.loop;
    if (kernel.lead === 0) this.lend(Math.floor(kernel.step / 2));
  }

  reset(): void {
    this.isPlaced = false;
    this.direction = 0;
    this.begin();
  }

  rate(): void {
    this.direction = 0;
  }

  align(time: FrameTime): void {
    const { display, loop } = this;
    const { kernel } = loop;
    const { step, lead } = kernel;
    const { units } = time;
    if (units === 0) return;
    const isFollowing = this.isFollowing(time);
    // The true position is up to one step before a step is due: 0 shows the newest state.
    const position = kernel.owed + 1 - step;
    const ahead = lead + 1 - step;
    const { refreshes } = display;
    /** Units that a refresh shows, and steps in them. */
    const refresh = refreshes > 0 ? (display.period / 1e3) * kernel.second * (units / time.real) : units;
    const ratio = refresh / step;
    const whole = Math.max(1, Math.round(ratio));
    const part = ratio > 0.7 ? 1 : Math.round(1 / ratio);
    const isAligned =
      refreshes > 0 &&
      units < MANY_STEPS * step &&
      Math.abs((ratio * part) / whole - 1) < (display.sure && !isFollowing ? ALIGN : ALIGN_LOOSELY);
    const isKnown = display.locked && refreshes > 0;
    // As soon as the display is recognised, the picture moves to where it belongs; later, too slowly to be seen.
    const isPlacing = isKnown && !this.isPlaced;
    let shift = isPlacing ? -ahead : within(refresh * UNSEEN_FREE, -ahead);
    // Until then, keep away from where the number of steps would change.
    if (!isKnown && this.unknown < START) {
      this.unknown++;
      shift = Math.abs(ratio / whole - 1) < 0.5 ? (step / 2 - ((kernel.owed + units) % step)) / 8 : 0;
    }
    if (isAligned) {
      const cell = step / part;
      const stride = refreshes * whole * cell;
      const free = position + stride;
      const strict = isFollowing ? free : position + units - ahead;
      shift = isPlacing
        ? Math.round(strict / cell) * cell - position - units
        : stride - units + this.moveToAlignment(free, strict, cell, refresh * UNSEEN);
    } else this.direction = 0;
    if (isKnown) {
      this.isPlaced = true;
      this.unknown = START;
    }
    const bound = isFollowing ? Infinity : Math.max(Math.floor(step / 2), Math.abs(ahead));
    const next = within(bound, Math.round(ahead + shift));
    kernel.lead += next - ahead;
    time.units += next - ahead;
  }

  /** Whether refreshes are the clock: not while time is scaled, or if the display has changed since. */
  private isFollowing({ units, real }: FrameTime): boolean {
    const { hertz, display, loop } = this;
    if (hertz === 0 || units !== real || Math.abs((hertz * display.period) / 1e3 - 1) > ALIGN_LOOSELY)
      return false;
    const [numerator, denominator] = loop.rate;
    const steps = numerator / denominator / hertz;
    const ratio = steps < 1 ? 1 / steps : steps;
    return Math.abs(ratio - Math.round(ratio)) < 1e-9;
  }

  /**
   * Returns how far to move, at most `max`, from where whole strides lead (`free`) to the nearest alignment: a multiple of
   * `cell` near the strict clock. All in units.
   */
  private moveToAlignment(free: number, strict: number, cell: number, max: number): number {
    const position = free / cell;
    let target = Math.round(position);
    if (this.direction)
      target = this.direction < 0 ? Math.ceil(position - 1e-6) - 1 : Math.floor(position + 1e-6) + 1;
    if (Math.abs(target - strict / cell) > (this.direction ? 0.6 : 0.5)) {
      target = Math.round(strict / cell);
      this.direction = target > position ? 1 : -1;
    }
    const move = target * cell - free;
    if (Math.abs(move) < 1.01 * max) this.direction = 0;
    return within(max, move);
  }

  private lend(units: number): void {
    const { kernel } = this.loop;
    kernel.lead += units;
    kernel.owed += units;
  }
}
