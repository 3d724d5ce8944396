import { within } from "./within.js";

/** Frames that the fit of a lattice remembers. */
const MEMORY = 64;
/** Frames over which errors are averaged. */
const WINDOW = 32;
/** Longer than this, in milliseconds, is a stall: nobody knows where in a refresh it began. */
const STALL = 250;
/** Clocks that tell whole milliseconds err at least by this, though they may not show it for a while. */
const COARSE_NOISE = 0.27;
/** From this noise on, in milliseconds, stamps are told when callbacks run, and not by the display. */
const LATE_NOISE = 0.42;
/** Frames that must fit before they are trusted; after each lock that did not last twice as many, up to a most. */
const FIRST_PATIENCE = 4;
const MOST_PATIENCE = 128;
/** The most of a frame by which what is handed on may differ from whole refreshes: too little to be seen. */
const UNSEEN = 1 / 200;

/** What to expect of stamps, in parts of a period. */
interface Expectation {
  /** A frame sooner than this after a refresh belongs to that one: one too many was counted. */
  readonly sooner: number;
  /** How far before a whole number of periods a frame may be and still count as so many; of frames by themselves. */
  readonly slack: number;
  readonly frameSlack: number;
  /** The most noise of a lattice, to be found and to be kept. */
  readonly found: number;
  readonly kept: number;
}

/** Stamps of the display itself. */
const ON_TIME: Expectation = { sooner: 0.25, slack: 0.45, frameSlack: 0.4, found: 0.12, kept: 0.12 };
/** Stamps that may be late, one by one, by up to a period: not a sign that a refresh was missed. */
const LATE: Expectation = { sooner: 0.45, slack: 0.1, frameSlack: 0.2, found: 0.2, kept: 0.3 };
/** The most noise of a lattice that has few frames yet. */
const FOUND_SOON = 0.05;

/**
 * Finds out when a display refreshes. It is told how long after one another frames were stamped, in
 * milliseconds, and hands on whole refreshes as soon as it knows how long they are, instead of what
 * stamps on a coarse grid, late ones or shaken ones say. The sum follows the stamps, so nothing drifts.
 *
 * Refreshes lie on a lattice: one period apart, for ever. It is fitted as a line, with all frames at
 * first and then with a memory that fades (a phase-locked loop of second order). What is handed on
 * moves by whole periods and follows the lattice slowly, so that its corrections are not seen.
 */
export class DisplayClock {
  /** Milliseconds between two refreshes, as far as is known. */
  period: number;
  /** Whether stamps follow a lattice, and whole refreshes are handed on. */
  locked = false;
  /** Refreshes since the last frame; 0 if that is not known. */
  refreshes = 0;
  /** What is handed on, in milliseconds. */
  elapsed: number;
  /** The shortest period that was ever known well; 0 before. */
  fastest: number;
  /** Whether stamps are whole milliseconds. */
  get coarse(): boolean {
    return this.whole > 7;
  }
  /** Whether the period is known to some three parts in ten thousand, by the error of a line of so many points. */
  get sure(): boolean {
    const { fitted, period, likelyNoise } = this;
    const error = likelyNoise * Math.sqrt(12 / (fitted * fitted * fitted));
    return this.locked && fitted > 20 && error < 3e-4 * period;
  }

  /** How far the last stamp lay after its refresh. */
  private error: number;
  /** How far what was handed on is ahead of the stamps. */
  private ahead: number;
  /** Frames in the fit. */
  private fitted = 0;
  /** How many there must be to be trusted. */
  private patience = FIRST_PATIENCE;
  /** Means: of errors; of what frames differ from whole periods; and of the latter with its sign. */
  private noise: number;
  private shake: number;
  private bias: number;
  /** Whether the last frame found the bias too large. */
  private biased = false;
  private expected = ON_TIME;
  /** Frames off the lattice of late; frames in a row of the same number of refreshes, more than one; of whole milliseconds. */
  private strikes: number;
  private repeats = 0;
  private whole = 0;
  /** The last five frames, and the same in order. */
  private readonly recent = new Float64Array(5);
  private readonly sorted = new Float64Array(5);

  constructor() {
    // Fractions at first, so that engines hold these fields as doubles and never allocate for them.
    this.period = this.elapsed = this.error = this.ahead = this.fastest = 0.5;
    this.noise = this.shake = this.bias = this.strikes = 0.5;
    this.elapsed = this.ahead = this.fastest = 0;
    this.seed();
  }

  /** Takes a frame, so many milliseconds after the last. */
  pass(elapsed: number): void {
    const { period, locked, recent, refreshes: before } = this;
    this.elapsed = elapsed;
    this.refreshes = 0;
    if (elapsed > STALL) {
      this.error = 0;
      return;
    }
    recent.copyWithin(0, 1);
    recent[4] = elapsed;
    this.whole = Math.abs(elapsed - Math.round(elapsed)) < 0.01 ? this.whole + 1 : 0;
    if (
      !period ||
      (!locked && Math.abs(this.usual() - period) > 0.25 * period + (this.fitted > 8 ? this.noise : 0))
    )
      return this.seed();

    if (this.fitted > 16 && this.noise > LATE_NOISE) this.expected = LATE;
    const noise = this.likelyNoise;
    const tolerance = Math.min(0.3 * period, Math.max(4.5 * noise, 0.05 * period));
    const since = this.error + elapsed;
    const refreshes = this.count(since / period);
    const error = since - refreshes * period;
    const { expected } = this;
    const mayBeLate = expected === LATE;
    const isOff = !mayBeLate && Math.abs(error) > tolerance;
    const beyond = elapsed - Math.max(1, Math.floor(elapsed / period + expected.frameSlack)) * period;
    this.bias += (beyond - this.bias) / 8;
    // Off the lattice by itself, and back on it: it was late. So it was if one refresh too many was counted.
    if ((this.strikes === 1 && !isOff && this.error > tolerance) || refreshes === 0) this.expected = LATE;
    this.strikes = isOff ? this.strikes + 1 : Math.max(0, this.strikes - 0.25);
    const isBiased = Math.abs(this.bias) > (mayBeLate ? 0.17 * period : 0.06 * period + noise / 2);
    // One late stamp makes a bias, but the next one is where it should be.
    if (locked && (this.strikes > 3 || (isBiased && (mayBeLate ? this.biased : this.strikes > 1))))
      return this.seed();
    this.biased = isBiased;
    if (locked && isOff) {
      // Perhaps another lattice begins here.
      this.error = error;
      return;
    }
    this.fit(since, refreshes, error, beyond);
    if (this.fitted > 8 && this.fitted < 2 * MOST_PATIENCE && this.wanders(0.75)) return this.seed();
    this.handOn(refreshes, before);
  }

  /** The noise that is to be expected. */
  private get likelyNoise(): number {
    return this.coarse ? Math.max(this.noise, COARSE_NOISE) : this.noise;
  }

  /** How many periods so many are: one, unless it is nearly two; none, if one too many was counted before. */
  private count(periods: number): number {
    const { sooner, slack } = this.expected;
    if (periods < sooner && this.locked) return 0;
    const noise = Math.min(0.2, (1.5 * this.noise) / this.period);
    return Math.max(1, Math.floor(periods + Math.max(slack, noise)));
  }

  /** Lets the line through all refreshes follow one more. */
  private fit(since: number, refreshes: number, error: number, beyond: number): void {
    const weight = Math.min(++this.fitted, MEMORY);
    const clipped = this.fitted > 8 ? within(3 * this.noise + 0.02, error) : error;
    const mean = Math.min(weight, WINDOW);
    this.noise += (Math.abs(error) - this.noise) / mean;
    this.shake += (Math.abs(beyond) - this.shake) / mean;
    // The gains of a least-squares line of so many points.
    const gain = 6 / ((weight + 1) * (weight + 2));
    const moved = refreshes * this.period + ((2 * weight + 1) / 3) * gain * clipped;
    this.period += (gain * clipped) / Math.max(1, refreshes);
    this.error = since - moved;
  }

  /** A display without a lattice errs less from frame to frame than it does in sum: by less than such a part. */
  private wanders(part: number): boolean {
    const { noise } = this;
    return noise > (this.coarse ? 0.6 : 0.015 * this.period) && this.shake < part * noise;
  }

  private handOn(refreshes: number, before: number): void {
    const { period, fitted, noise, locked, expected } = this;
    const most = locked ? expected.kept : fitted > 16 ? expected.found : FOUND_SOON;
    const isCalm = fitted > this.patience && noise < Math.min(1.5, most * period);
    if (locked && !isCalm) return this.seed();
    this.locked = isCalm && (locked || fitted < 9 || !this.wanders(0.95));
    if (this.locked) {
      this.refreshes = refreshes;
      const whole = refreshes * period;
      const elapsed = this.elapsed;
      this.elapsed = whole - within(whole * UNSEEN, (this.ahead + whole - elapsed + this.error) / 32);
      this.ahead += this.elapsed - elapsed;
      this.repeats = refreshes > 1 && refreshes === before ? this.repeats + 1 : 0;
      if (fitted > WINDOW && (!this.fastest || period < this.fastest)) this.fastest = period;
      if (this.repeats > 8) {
        // Every so many refreshes, always: it is a slower display.
        this.period *= refreshes;
        this.refreshes = 1;
      }
    }
  }

  /** Begins again with the usual length of the last frames. */
  private seed(): void {
    if (this.locked)
      this.patience =
        this.fitted - this.patience < 100 ? Math.min(2 * this.patience, MOST_PATIENCE) : FIRST_PATIENCE;
    this.period = this.usual() || this.elapsed;
    this.locked = this.biased = false;
    this.expected = ON_TIME;
    this.fitted = 1;
    this.noise = this.shake = this.bias = this.strikes = this.repeats = this.error = 0;
  }

  /** How long the last frames usually were; or the shortest, if others were two or more of it. */
  private usual(): number {
    const { sorted } = this;
    sorted.set(this.recent);
    sorted.sort();
    const least = sorted[0]!;
    let isWhole = least > 6;
    for (let i = 1; i < sorted.length; i++) {
      const periods = sorted[i]! / least;
      isWhole &&= Math.abs(periods - Math.round(periods)) < 0.08;
    }
    return isWhole && sorted[4]! > 1.5 * least ? least : sorted[2]!;
  }
}
