/** Random numbers for tests, independent of the tested generator. Uses only exact operations, so all engines agree. */
export class Mulberry32 {
  #state = 0;
  readonly #bits = new DataView(new ArrayBuffer(8));

  constructor(seed: number) {
    this.seed(seed);
  }

  seed(seed: number): void {
    this.#state = seed;
  }

  word(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }

  within(low: number, high: number): number {
    return low + (this.word() / 4294967296) * (high - low);
  }

  /** Returns any finite double, uniform over all bit patterns. */
  any(): number {
    do {
      this.#bits.setUint32(0, this.word());
      this.#bits.setUint32(4, this.word());
    } while (!Number.isFinite(this.#bits.getFloat64(0)));
    return this.#bits.getFloat64(0);
  }

  /** Returns a number within bounds; one in four is any double. */
  wide(low: number, high: number): number {
    return this.word() % 4 === 0 ? this.any() : this.within(low, high);
  }
}
