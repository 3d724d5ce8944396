import type { Span } from "./span.js";
import { within } from "./within.js";

/** How near to a whole ratio steps and refreshes must be to go together. */
const NEAR = 0.0025;
/** How far, to part again; while the display is not yet known; and while a stamp is not trusted. */
const PARTING = 0.003;
const ROUGHLY = 0.1;
const SHAKEN = 0.15;
/** Frames in a row whose stamps need not be trusted. */
const UNTRUSTED = 3;
/** From so many steps a frame on, any ratio is nearly whole. */
const MANY_STEPS = 40;
/** How much a refresh's movement may change to walk to where steps and refreshes meet, as a part of it: too little to see. */
const UNSEEN = 1 / 200;
/** The same for the way back to the strict clock, where they do not meet: slower, as nothing depends on it. */
const UNSEEN_ALONE = 1 / 1000;

/**
 * Counts steps for a display: as many as it takes to reach the time to be shown, so that the newest
 * state is shown and not the one before. Where steps and refreshes are nearly in a whole ratio, they
 * go together, and what is shown leads or lags the strict clock by up to half a step; then it walks
 * to where the next steps and refreshes meet, too slowly to be seen.
 *
 * The rest of the overstep is kept one step, less one unit, above its true value: that is in (-1, 0]
 * steps, and a span wants [0, 1).
 */
export class DisplayCount {
  /** How far the time to be shown is ahead of the strict clock, in units. */
  lead: number;
  private readonly overstep: Span;
  private leadBefore: number;
  /** Which way it walks: 1, -1, or 0 if steps and refreshes meet. */
  private walk = 0;
  private begun = false;
  /** Steps and refreshes go together, for so many frames even if those are not trusted. */
  private together = 0;

  constructor(overstep: Span) {
    this.overstep = overstep;
    // A fraction at first, so that engines hold it as a double and never allocate for it.
    this.lead = this.leadBefore = 0.5;
    // Half a step: until the display is known, a frame should have its steps whatever its stamp says.
    this.lead = -Math.floor(overstep.units / 2);
    overstep.rest = overstep.units - 1 + this.lead;
  }

  /**
   * Adds a frame's nanoseconds to the overstep. `refreshes` is 0 if the clock does not know how many passed; `covered` is
   * then its best guess.
   */
  add(nanoseconds: number, refreshes: number, covered = Math.max(1, refreshes)): void {
    const { overstep, lead } = this;
    const { units, rest: before } = overstep;
    this.leadBefore = lead;
    if (nanoseconds === 0) return;
    overstep.add(nanoseconds);
    const given = overstep.steps * units + overstep.rest - before;
    // Per refresh, so that a frame of several refreshes may not shift further than one of a single refresh.
    const refresh = given / covered;
    const most = refresh * UNSEEN;
    const ratio = given / (Math.max(1, refreshes) * units);
    const whole = Math.max(1, Math.round(ratio));
    const part = Math.max(1, Math.round(1 / ratio));
    const far = Math.abs((ratio * part) / whole - 1);
    // Alone, the two clocks meet: slowly, or at once if nothing has been shown.
    const isFree = !this.begun && Math.abs(ratio / whole - 1) > ROUGHLY;
    let shift = within(isFree ? units : refresh * UNSEEN_ALONE, -lead);
    const cell = units / part;
    const stride = Math.max(1, refreshes) * whole * cell;
    // A stamp or two that are off should not part them.
    const isNear =
      given < MANY_STEPS * units &&
      (refreshes > 0
        ? far < (this.together ? PARTING : NEAR)
        : this.together > 0 && far < SHAKEN && Math.abs(lead + stride - given) < cell / 4);
    this.together = !isNear ? 0 : refreshes > 0 ? UNTRUSTED : this.together - 1;
    if (isNear) {
      const over = before + 1 - units;
      const strict = over + given - lead;
      shift = over + stride + this.wayToMeet(over + stride, strict, cell, most) - over - given;
    } else this.walk = 0;
    this.begun = true;
    const half = Math.floor(units / 2);
    this.lead = within(half, Math.round(lead + shift));
    overstep.plus(0, this.lead - lead);
  }

  /**
   * How far to go, and at most so far, from where strides alone lead to where steps and refreshes meet: in a cell
   * of a step, near the strict clock. All of it in units.
   */
  private wayToMeet(free: number, strict: number, cell: number, most: number): number {
    const place = free / cell;
    let meet = Math.round(place);
    if (this.walk) meet = this.walk < 0 ? Math.ceil(place - 1e-6) - 1 : Math.floor(place + 1e-6) + 1;
    if (Math.abs(meet - strict / cell) > (this.walk ? 0.6 : 0.5)) {
      meet = Math.round(strict / cell);
      this.walk = meet > place ? 1 : -1;
    }
    const way = meet * cell - free;
    if (Math.abs(way) < 1.01 * most) this.walk = 0;
    return within(most, way);
  }

  /** Makes the last frame not have been; the overstep is the caller's to restore. */
  revert(): void {
    this.lead = this.leadBefore;
  }
}
