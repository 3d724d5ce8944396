/** Milliseconds whose fastest message counts, and how many such spans are kept. */
const SPAN = 2000;
const SPANS = 32;
/** Spans until a drift can be told from jitter. */
const ENOUGH = 5;
/** A line counts if it explains this share of all differences, or if the standard deviation of its slope is below this. */
const EXPLAINED = 0.95;
const CERTAIN = 5e-5;
/** No clock is worse. */
const MAX_SLOPE = 0.02;

/**
 * Estimates how much faster our clock runs than that of the sender, and how long the fastest messages take. A travel time is the
 * difference of two clocks, so it has no meaning by itself. But those of the fastest messages lie on a line, whose slope is the drift.
 */
export class ClockDrift {
  /** When the fastest message of each span arrived, and its travel time. */
  readonly #times = new Float64Array(SPANS);
  readonly #trips = new Float64Array(SPANS);
  #count = 0;
  #endsAt = -Infinity;
  readonly #figures = new Float64Array(1);

  /** How much the travel time seems to grow per millisecond, as our clock is faster. */
  get slope(): number {
    return this.#figures[0]!;
  }

  /** Forgets everything, or everything but the slope: clocks stay as they are. */
  reset(isSameClock: boolean): void {
    if (!isSameClock) this.#figures[0] = 0;
    this.#count = 0;
    this.#endsAt = -Infinity;
  }

  /** Takes a travel time: ours when the message arrived, less the sender's when it left. */
  add(trip: number, now: number): void {
    if (now >= this.#endsAt) {
      if (this.#count >= ENOUGH) this.#fit();
      this.#endsAt = now + SPAN;
      this.#store(this.#count++ % SPANS, trip, now);
      return;
    }
    const slot = (this.#count - 1) % SPANS;
    if (trip < this.#trips[slot]! + this.slope * (now - this.#times[slot]!)) this.#store(slot, trip, now);
  }

  #store(slot: number, trip: number, now: number): void {
    this.#times[slot] = now;
    this.#trips[slot] = trip;
  }

  /** Returns the travel time of the fastest message, as it would be now. */
  least(now: number): number {
    let least = Infinity;
    for (let i = Math.min(this.#count, SPANS) - 1; i >= 0; i--)
      least = Math.min(least, this.#trips[i]! + this.slope * (now - this.#times[i]!));
    return least;
  }

  /** Fits a line. Latency that changed at once is no drift: a line explains little of it, so the old one stays. */
  #fit(): void {
    const count = Math.min(this.#count, SPANS);
    let time = 0;
    let trip = 0;
    for (let i = 0; i < count; i++) {
      time += this.#times[i]! / count;
      trip += this.#trips[i]! / count;
    }
    let tt = 0;
    let tp = 0;
    let pp = 0;
    for (let i = 0; i < count; i++) {
      const x = this.#times[i]! - time;
      const y = this.#trips[i]! - trip;
      tt += x * x;
      tp += x * y;
      pp += y * y;
    }
    const slope = tp / tt;
    const unexplained = Math.max(0, pp - tp * slope);
    const isCertain = unexplained < CERTAIN * CERTAIN * tt * (count - 2);
    if (!isCertain && unexplained > (1 - EXPLAINED) * pp) return;
    this.#figures[0] = Math.max(-MAX_SLOPE, Math.min(MAX_SLOPE, slope));
  }
}
