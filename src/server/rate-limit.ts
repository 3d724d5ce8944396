/** Allows `perSecond` on average, and `burst` at once. */
export class Bucket {
  readonly #perMs: number;
  readonly #burst: number;
  #level: number;
  #at: number;

  constructor(perSecond: number, burst: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#level = burst;
    this.#at = now;
  }

  /** Whether an amount is there. */
  has(amount: number, now: number): boolean {
    this.#level = Math.min(this.#burst, this.#level + Math.max(0, now - this.#at) * this.#perMs);
    this.#at = now;
    return this.#level >= amount;
  }

  /** Takes out an amount. Returns false if there is not enough, and then takes nothing. */
  take(amount: number, now: number): boolean {
    if (!this.has(amount, now)) return false;
    this.#level -= amount;
    return true;
  }

  /** Whether nothing was taken out lately, so that a new one would be the same. */
  isFull(now: number): boolean {
    return this.has(this.#burst, now);
  }
}

/** The most keys that are remembered. Beyond that, old ones are forgotten: memory stays bounded whatever the number of attackers. */
const MAX_KEYS = 100_000;

/** One bucket per key, such as an address. */
export class KeyedBuckets {
  readonly #buckets = new Map<string, Bucket>();
  readonly #perSecond: number;
  readonly #burst: number;

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  get size(): number {
    return this.#buckets.size;
  }

  take(key: string, now: number): boolean {
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      bucket = new Bucket(this.#perSecond, this.#burst, now);
      if (this.#buckets.size >= MAX_KEYS) this.#buckets.delete(this.#buckets.keys().next().value!);
      this.#buckets.set(key, bucket);
    }
    return bucket.take(1, now);
  }

  /** Whether `take` would succeed. */
  allows(key: string, now: number): boolean {
    return this.#buckets.get(key)?.has(1, now) ?? true;
  }

  /** Forgets keys that have been quiet. */
  sweep(now: number): void {
    for (const [key, bucket] of this.#buckets) if (bucket.isFull(now)) this.#buckets.delete(key);
  }
}
