/**
 * A growing list of ascending numbers, in a typed array of 8 bytes each. An object for each chunk would take several times the
 * memory of the file.
 */
export class NumberList {
  #values = new Float64Array(16);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The number at an index below `length`. */
  at(index: number): number {
    return this.#values[index]!;
  }

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const values = new Float64Array(Math.ceil(1.5 * this.#length));
      values.set(this.#values);
      this.#values = values;
    }
    this.#values[this.#length++] = value;
  }

  /** Replaces the last number. */
  setLast(value: number): void {
    this.#values[this.#length - 1] = value;
  }

  /** Drops all but the first `length` numbers. */
  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** Returns how many numbers are at most `value`, which is the index of the first greater one. */
  countUpTo(value: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#values[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
