import type { DisplayClock } from "./display-clock.js";
import { within } from "./lattice.js";
import type { Loop } from "../loop.js";
import type { FrameTime, Part } from "../part.js";

/** How far from a whole ratio steps and refreshes may be to be aligned. */
const ALIGN = 0.0025;
/** The same while the display's period is not known well, and if its refreshes are the clock. */
const ALIGN_LOOSELY = 0.01;
/** The same for the first frame, and for a timestamp off the lattice: one must not end an alignment. */
const ALIGN_UNKNOWN = 0.1;
/** How far the picture moves, in refreshes per frame, to where it belongs as soon as the display is recognised. */
const PLACE = 0.7;
/** The same later, to reach an alignment: too little to see. */
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
  private isAligned = false;
  /** Whether the display has been recognised, and the picture moved to where it belongs. */
  private isPlaced = false;
  /** Direction in which the lead moves to an alignment: 1, -1, or 0 if it is reached. */
  private direction = 0;
  /** Units by which the first alignment was ahead of the strict clock, if that began with a timestamp that may have been late. */
  private base = 0;

  constructor(
    private readonly loop: Loop,
    private readonly display: DisplayClock,
  ) {}

  reset(): void {
    this.isAligned = this.isPlaced = false;
    this.direction = this.base = 0;
  }

  align(time: FrameTime): void {
    const { kernel } = this.loop;
    const { step, lead } = kernel;
    const { period, refreshes, sure } = this.display;
    const { units } = time;
    // Kernels that always show the newest state need no lead.
    if (units === 0 || kernel.showsNewest) return;
    const isFollowing = this.isFollowing(time);
    /** Units that a refresh shows, and steps in them. Without a lattice, each frame is taken for a refresh. */
    const isKnown = refreshes > 0 || this.isAligned;
    const refresh = isKnown ? (period / 1e3) * kernel.second * (units / time.real) : units;
    const ratio = refresh / step;
    const whole = Math.max(1, Math.round(ratio));
    const part = ratio > 0.7 ? 1 : Math.round(1 / ratio);
    const far = Math.abs((ratio * part) / whole - 1);
    /** Units between two alignments, and units in which an aligned frame moves. */
    const cell = step / part;
    const stride = Math.max(1, refreshes || Math.round(units / refresh)) * whole * cell;
    let ahead = lead + 1 - step;
    // At first, half a cell away from where the number of steps would change, because of jitter.
    if (lead === 0) ahead = far < ALIGN_UNKNOWN ? -Math.floor(cell / 2) : 0;
    // The true position is up to one step before a step is due: 0 shows the newest state.
    const position = kernel.owed - lead + ahead;
    this.isAligned =
      refreshes > 0
        ? far < (sure && !isFollowing ? ALIGN : ALIGN_LOOSELY)
        : this.isAligned &&
          Math.abs(stride - units) < ALIGN_UNKNOWN * stride &&
          Math.abs((isFollowing ? 0 : ahead) + stride - units) < cell / 4;
    const isPlacing = refreshes > 0 && !this.isPlaced;
    const max = refresh * (isPlacing ? PLACE : this.isAligned ? UNSEEN : UNSEEN_FREE);
    let move = within(max, -ahead);
    let free = position + units;
    if (this.isAligned) {
      free = position + stride;
      move = this.moveToAlignment(free, isFollowing ? free : position + units - ahead + this.base, cell, max);
    } else this.direction = 0;
    if (isPlacing && Math.abs(move) < max) this.isPlaced = true;
    const bound = isFollowing
      ? Infinity
      : Math.max(Math.floor(step / 2) + Math.abs(this.base), Math.abs(ahead));
    // The picture never runs backwards, however short a frame is.
    const next = Math.max(ahead - units, within(bound, Math.round(ahead + free - position - units + move)));
    if (isPlacing && this.isPlaced && this.display.late) this.base = within(cell / 4, next);
    kernel.lead = step - 1 + next;
    time.units += kernel.lead - lead;
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
}
