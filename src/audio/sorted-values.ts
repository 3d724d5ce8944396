/** A few numbers in ascending order, for medians and quartiles. When it is full, more numbers are ignored. */
export class SortedValues {
  count = 0;
  readonly #values: Float64Array;

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
  }

  add(value: number): void {
    const values = this.#values;
    if (this.count === values.length) return;
    let i = this.count++;
    for (; i > 0 && values[i - 1]! > value; i--) values[i] = values[i - 1]!;
    values[i] = value;
  }

  clear(): void {
    this.count = 0;
  }

  get max(): number {
    return this.count > 0 ? this.#values[this.count - 1]! : NaN;
  }

  get median(): number {
    const half = (this.count - 1) / 2;
    return this.count > 0 ? (this.#values[Math.floor(half)]! + this.#values[Math.ceil(half)]!) / 2 : NaN;
  }

  /** The range of the middle half. */
  get spread(): number {
    const last = this.count - 1;
    return last < 0 ? NaN : this.#values[Math.ceil(last * 0.75)]! - this.#values[Math.floor(last * 0.25)]!;
  }
}
