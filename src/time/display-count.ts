import { mulDiv } from "./mul-div.js";
import type { Span } from "./span.js";
import { within } from "./within.js";

/** How far from a whole ratio steps and refreshes may be to get aligned, and to stay aligned. */
const ALIGN = 0.0025;
const STAY_ALIGNED = 0.003;
/** The same if refreshes are the clock: more than the display clock's own corrections. */
const STAY_FOLLOWING = 0.01;
/** The same while the display is not known yet, and while a timestamp is not trusted. */
const UNKNOWN_DISPLAY = 0.1;
const UNTRUSTED = 0.15;
/** Consecutive frames with untrusted timestamps after which alignment is lost. */
const MAX_UNTRUSTED = 3;
/** From this many steps per frame on, any ratio is nearly whole. */
const MANY_STEPS = 40;
/** How much the movement of a refresh may change to reach alignment, as a part of it: too little to see. */
const UNSEEN = 1 / 200;
/** The same for the return to the strict clock without alignment: slower, as nothing depends on it. */
const UNSEEN_FREE = 1 / 1000;

/**
 * Counts steps for a display: as many as it takes to reach the time that the frame shows, so that it shows the newest state
 * and not the one before. If steps and refreshes are nearly in a whole ratio, they are aligned: each frame gets the same
 * number of steps, and the shown time leads or lags the strict clock by up to half a step. It is moved to the next alignment
 * too slowly to be seen. If the step rate was taken from the display, refreshes are the clock: the lead then grows by however
 * much the display's true rate differs from the measured one, and no step is ever gained or lost.
 *
 * The overstep's true value is in (-1, 0] steps, but a span holds [0, 1): its rest is stored one step, less one unit, higher.
 */
export class DisplayCount {
  /** How far the shown time is ahead of the strict clock, in units. */
  lead: number;
  private readonly overstep: Span;
  private leadBefore: number;
  /** Direction in which the lead moves to an alignment: 1, -1, or 0 if it is reached. */
  private direction = 0;
  private hasBegun = false;
  /** Whether refreshes are the clock: see above. */
  isFollowing: boolean;
  /** Above 0 while steps and refreshes are aligned: how many more untrusted frames keep the alignment. */
  private aligned = 0;

  constructor(overstep: Span, isFollowing = false) {
    this.overstep = overstep;
    this.isFollowing = isFollowing;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.lead = this.leadBefore = 0.5;
    // Half a step: until the display is known, jitter must not change the number of steps in a frame.
    this.lead = isFollowing ? 0 : -Math.floor(overstep.units / 2);
    overstep.rest = overstep.units - 1 + this.lead;
  }

  /** Adds a frame's nanoseconds to the overstep. If `refreshes` is unknown, it is 0, and `covered` is the best guess. */
  add(nanoseconds: number, refreshes: number, covered = Math.max(1, refreshes)): void {
    const { overstep, lead, isFollowing } = this;
    const { units, rest: before } = overstep;
    this.leadBefore = lead;
    if (nanoseconds === 0) return;
    overstep.add(nanoseconds);
    const added = overstep.steps * units + overstep.rest - before;
    // Per refresh, so that a frame of several refreshes does not shift further than one of a single refresh.
    const refresh = covered === 1 ? added : added / covered;
    const max = refresh * UNSEEN;
    const ratio = added / (Math.max(1, refreshes) * units);
    const whole = Math.max(1, Math.round(ratio));
    const part = ratio > 0.7 ? 1 : Math.round(1 / ratio);
    const far = Math.abs((whole === 1 ? ratio * part : (ratio * part) / whole) - 1);
    // Without alignment, return to the strict clock: slowly, or at once if nothing has been shown yet.
    const isFree = !this.hasBegun && Math.abs(ratio / whole - 1) > UNKNOWN_DISPLAY;
    let shift = within(isFree ? units : refresh * UNSEEN_FREE, -lead);
    const cell = part === 1 ? units : units / part;
    const stride = Math.max(1, refreshes) * whole * cell;
    // One or two bad timestamps must not end the alignment.
    const isAligned =
      (isFollowing || added < MANY_STEPS * units) &&
      (refreshes > 0
        ? far < (isFollowing ? STAY_FOLLOWING : this.aligned ? STAY_ALIGNED : ALIGN)
        : this.aligned > 0 &&
          far < UNTRUSTED &&
          Math.abs((isFollowing ? 0 : lead) + stride - added) < cell / 4);
    this.aligned = !isAligned ? 0 : refreshes > 0 ? MAX_UNTRUSTED : this.aligned - 1;
    if (isAligned) {
      const over = before + 1 - units;
      const strict = isFollowing ? over + stride : over + added - lead;
      shift = over + stride + this.moveToAlignment(over + stride, strict, cell, max) - over - added;
    } else this.direction = 0;
    this.hasBegun = true;
    // A lead from following the display is not cut off, but returned slowly.
    const bound = isFollowing ? Infinity : Math.max(Math.floor(units / 2), Math.abs(lead));
    this.lead = within(bound, Math.round(lead + shift));
    overstep.plus(0, this.lead - lead);
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

  /** Counts in units of another length, after the rate has changed: `unitsAfter` for `unitsBefore`. The caller converts the overstep. */
  convert(unitsBefore: number, unitsAfter: number): void {
    const lead = mulDiv(Math.abs(this.lead), unitsAfter, unitsBefore);
    this.lead = this.leadBefore = this.lead < 0 ? -lead : lead;
    this.direction = this.aligned = 0;
  }

  /** Undoes the last frame. The caller restores the overstep. */
  revert(): void {
    this.lead = this.leadBefore;
  }
}
