/** Samples that the advantage is averaged over, and how many are needed at least. */
const AVERAGED = 60;
const MIN_SAMPLES = 30;
/** Ticks of advantage that are corrected. More is needed before it is well averaged, and to take back the last correction. */
const MIN_ADVANTAGE = 0.35;
const MIN_DOUBTFUL = 0.55;
/** A second correction in the same direction within this many ticks means that a clock runs at another speed. */
const DRIFT_TICKS = 600;
/**
 * Then a correction goes further, by this times the mean advantage since the last one, until that is 0. Going further by a tick moves the
 * mean by a quarter of a tick if one of two peers does so, and by a half if both do.
 */
const BEYOND = 2;
/** A correction goes at most this many ticks further. */
const MAX_BEYOND = 2;
/** Ticks after a correction until its effect can be measured. */
const SETTLING = 8;
/** How much faster or slower a correction runs. */
const CHANGE = 0.05;
/** A correction lasts at most this many ticks. Then the advantage is measured again. */
const MAX_TICKS = 240;

// The places of the figures.
const SUM = 0;
const LAST_BEYOND = 1;
const VALUE = 2;

/** The mean of the last samples. */
class Mean {
  readonly #samples = new Float64Array(AVERAGED);
  #count = 0;
  #sum = 0;

  add(sample: number): void {
    const slot = this.#count++ % AVERAGED;
    // Samples are whole numbers, so that the sum stays exact.
    this.#sum += sample - this.#samples[slot]!;
    this.#samples[slot] = sample;
  }

  get count(): number {
    return this.#count;
  }

  get value(): number {
    return this.#count === 0 ? 0 : this.#sum / Math.min(this.#count, AVERAGED);
  }

  reset(): void {
    this.#samples.fill(0);
    this.#count = this.#sum = 0;
  }
}

/**
 * Averages our advantage over one peer: how many ticks we are ahead. Both sides measure their lag, which is how far their own inputs
 * are ahead of what they know of the other's, whenever they send. Half the difference is the advantage: latency cancels out. The two are
 * averaged apart: in pairs, at every arrival, the lag after a gap would count several times, and both would think that they are ahead.
 */
export class Advantage {
  readonly #own = new Mean();
  readonly #theirs = new Mean();

  /** Takes our lag when we send. */
  addOwn(lag: number): void {
    this.#own.add(lag);
  }

  /** Takes the lag that a packet of the peer tells. */
  addTheirs(lag: number): void {
    this.#theirs.add(lag);
  }

  get isKnown(): boolean {
    return this.#samples >= MIN_SAMPLES;
  }

  /** Whether all samples are there that are averaged. */
  get isExact(): boolean {
    return this.#samples >= AVERAGED;
  }

  get ticks(): number {
    return this.#samples === 0 ? 0 : (this.#own.value - this.#theirs.value) / 2;
  }

  /** Adds it to the first number of `sum`. In an array, as a number that is returned may be allocated. */
  addTo(sum: Float64Array): void {
    sum[0]! += this.ticks;
  }

  get #samples(): number {
    return Math.min(this.#own.count, this.#theirs.count);
  }

  reset(): void {
    this.#own.reset();
    this.#theirs.reset();
  }
}

/**
 * Turns an advantage into a pace near 1. Corrections are short and exact, so that the pace is 1 most of the time: each peer makes up
 * for its share of the difference, then everybody measures again.
 */
export class Pace {
  /** The advantage for the next call of `correct`. In an array, as an argument may be allocated. */
  readonly advantage = new Float64Array(1);
  #ticksLeft = 0;
  #settling = 0;
  /** Ticks since the last correction, and its direction. */
  #sinceLast = 1e9;
  #direction = 0;
  /** The sum of the `#count` advantages measured since then; how much further the correction went; and the pace. */
  readonly #figures = Float64Array.of(0, 0, 1);
  #count = 0;

  get value(): number {
    return this.#figures[VALUE]!;
  }

  /** Whether a correction is under way: what is measured meanwhile does not count. */
  get isCorrecting(): boolean {
    return this.#ticksLeft > 0 || this.#settling > 0;
  }

  /**
   * Takes the advantage of a tick, and begins to correct it, if it is large enough. Each peer makes up for its share, as `others` correct
   * themselves at the same time. `isExact`: the advantage is well averaged.
   */
  correct(others: number, isExact: boolean): void {
    if (this.isCorrecting) return;
    const figures = this.#figures;
    const advantage = this.advantage[0]!;
    figures[SUM]! += advantage;
    this.#count++;
    const direction = advantage < 0 ? -1 : 1;
    const size = direction * advantage;
    const isSoon = this.#sinceLast < DRIFT_TICKS;
    const isDrift = isSoon && direction === this.#direction;
    if (size < (isExact && (isDrift || !isSoon) ? MIN_ADVANTAGE : MIN_DOUBTFUL)) return;
    const mean = (direction * figures[SUM]!) / this.#count;
    const beyond = isDrift ? Math.min(MAX_BEYOND, Math.max(0, figures[LAST_BEYOND]! + BEYOND * mean)) : 0;
    const share = others === 0 ? 1 : others / (others + 1);
    this.#ticksLeft = Math.min(MAX_TICKS, Math.round(((size + beyond) * share) / CHANGE));
    figures[VALUE] = 1 - direction * CHANGE;
    this.#direction = direction;
    this.#sinceLast = this.#count = 0;
    figures[SUM] = 0;
    figures[LAST_BEYOND] = beyond;
  }

  /** Counts a tick. Returns true if a correction is over, and what follows can be measured. */
  tick(): boolean {
    this.#sinceLast++;
    if (this.#settling > 0) return --this.#settling === 0;
    if (this.#ticksLeft === 0 || --this.#ticksLeft > 0) return false;
    this.#figures[VALUE] = 1;
    this.#settling = SETTLING;
    return false;
  }
}
