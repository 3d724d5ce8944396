/** Packets that the advantage is averaged over. */
const AVERAGED = 30;
/** Ticks of advantage that are corrected. Half a tick is what packets at whole ticks can be off. */
const MIN_ADVANTAGE = 0.55;
/** A second correction in the same direction within so many ticks means that a clock runs at another speed. */
const DRIFT_TICKS = 600;
/** Then a correction goes further by so many ticks, so that the advantage is 0 on average. */
const BEYOND = 1.25;
/** Ticks after a correction until its effect can be measured. */
const SETTLING = 8;
/** How much faster or slower a correction runs. */
const CHANGE = 0.05;
/** A correction lasts at most this many ticks. Then the advantage is measured again. */
const MAX_TICKS = 240;

/**
 * Averages our advantage over one peer: how many ticks we are ahead. Both sides measure how far their own inputs are ahead of what
 * they know of the other's, when they send. Half the difference is the advantage: latency cancels out.
 */
export class Advantage {
  readonly #samples = new Float64Array(AVERAGED);
  #count = 0;
  #sum = 0;

  /** `own` and `theirs`: the end of one's own inputs less the end of the other's as far as known, when last sent. */
  add(own: number, theirs: number): void {
    const sample = (own - theirs) / 2;
    const slot = this.#count++ % AVERAGED;
    this.#sum += sample - this.#samples[slot]!;
    this.#samples[slot] = sample;
  }

  get isKnown(): boolean {
    return this.#count >= AVERAGED;
  }

  get ticks(): number {
    return this.#count === 0 ? 0 : this.#sum / Math.min(this.#count, AVERAGED);
  }

  reset(): void {
    this.#samples.fill(0);
    this.#count = this.#sum = 0;
  }
}

/**
 * Turns an advantage into a pace near 1. Corrections are short and exact, so that the pace is 1 most of the time: each peer makes up
 * for its share of the difference, then everybody measures again.
 */
export class Pace {
  #value = 1;
  #ticksLeft = 0;
  #settling = 0;
  /** Ticks since the last correction, and its direction. */
  #sinceLast = 1e9;
  #direction = 0;

  get value(): number {
    return this.#value;
  }

  /** Whether a correction is under way: what is measured meanwhile does not count. */
  get isCorrecting(): boolean {
    return this.#ticksLeft > 0 || this.#settling > 0;
  }

  /** Begins to correct an advantage, if that is worth it. `share` is the part of it that this peer makes up for. */
  correct(advantage: number, share: number): void {
    const size = Math.abs(advantage);
    if (this.isCorrecting || size < MIN_ADVANTAGE) return;
    const direction = Math.sign(advantage);
    const isDrift = direction === this.#direction && this.#sinceLast < DRIFT_TICKS;
    this.#direction = direction;
    this.#sinceLast = 0;
    this.#ticksLeft = Math.min(MAX_TICKS, Math.round(((size + (isDrift ? BEYOND : 0)) * share) / CHANGE));
    this.#value = 1 - direction * CHANGE;
  }

  /** Counts a tick. Returns true if a correction is over, and what follows can be measured. */
  tick(): boolean {
    this.#sinceLast++;
    if (this.#settling > 0) return --this.#settling === 0;
    if (this.#ticksLeft === 0 || --this.#ticksLeft > 0) return false;
    this.#value = 1;
    this.#settling = SETTLING;
    return false;
  }
}
