/** Buckets per doubling, the upper end of the first bucket in milliseconds, and the number of buckets: up to 3.5 minutes. */
const PER_OCTAVE = 4;
const FIRST = 0.05;
const BUCKETS = 88;

/** Counts how late steps were, in buckets whose width grows by 19 % each. Counting allocates nothing. */
export class Lateness {
  readonly #counts = new Float64Array(BUCKETS);
  #count = 0;
  #max = 0;

  /** How many were counted. */
  get count(): number {
    return this.#count;
  }
  /** The largest one, in milliseconds. */
  get max(): number {
    return this.#max;
  }

  add(milliseconds: number): void {
    const late = Math.max(0, milliseconds);
    const bucket = late <= FIRST ? 0 : Math.ceil(PER_OCTAVE * Math.log2(late / FIRST));
    this.#counts[Math.min(bucket, BUCKETS - 1)]!++;
    this.#count++;
    if (late > this.#max) this.#max = late;
  }

  /** Returns the milliseconds below which a part of all lies: 0.99 for the 99th percentile. Up to 19 % too much; 0 if there are none. */
  quantile(part: number): number {
    let left = part * this.#count;
    // What is in the last bucket may be larger than its end.
    for (let bucket = 0; bucket < BUCKETS - 1; bucket++) {
      left -= this.#counts[bucket]!;
      if (left <= 0 && this.#count > 0) return Math.min(this.#max, FIRST * 2 ** (bucket / PER_OCTAVE));
    }
    return this.#max;
  }

  /** Counts in what another one has counted. */
  include(other: Lateness): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) this.#counts[bucket]! += other.#counts[bucket]!;
    this.#count += other.#count;
    this.#max = Math.max(this.#max, other.#max);
  }

  reset(): void {
    this.#counts.fill(0);
    this.#count = 0;
    this.#max = 0;
  }
}
