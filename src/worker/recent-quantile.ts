/** A quantile of the last numbers. Adding one does not allocate. */
export class RecentQuantile {
  readonly #share: number;
  /** In order of arrival, as a ring; and in order of size. */
  readonly #recent: Float64Array;
  readonly #sorted: Float64Array;
  #next = 0;
  #count = 0;

  /** Of `size` numbers, the `share` that is not above the quantile: 0.999 leaves out the largest two of 2048. */
  constructor(size: number, share: number) {
    this.#share = share;
    this.#recent = new Float64Array(size);
    this.#sorted = new Float64Array(size);
  }

  /** How many numbers there are. */
  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    const recent = this.#recent;
    const sorted = this.#sorted;
    if (this.#count === recent.length) {
      const at = this.#indexOf(recent[this.#next]!);
      sorted.copyWithin(at, at + 1, this.#count);
      this.#count--;
    }
    recent[this.#next] = value;
    this.#next = (this.#next + 1) % recent.length;
    const at = this.#indexOf(value);
    sorted.copyWithin(at + 1, at, this.#count);
    sorted[at] = value;
    this.#count++;
  }

  /** Returns the number at the quantile; the largest one if there are few. -Infinity if there is none. */
  get value(): number {
    if (this.#count === 0) return -Infinity;
    return this.#sorted[this.#count - 1 - Math.floor((1 - this.#share) * this.#count + 1e-9)]!;
  }

  /** Returns a number by its rank: 0 is the smallest. */
  at(rank: number): number {
    return this.#sorted[rank]!;
  }

  /** Forgets all numbers. */
  clear(): void {
    this.#count = this.#next = 0;
  }

  /** Returns the first index in the sorted numbers whose number is not less. */
  #indexOf(value: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
