/** A ring buffer of edges or values that no step has seen yet, in order, each with its time and its bits. */
export class EdgeQueue {
  readonly #times: Float64Array;
  readonly #bits: Uint32Array;
  readonly #size: number;
  #head = 0;
  #length = 0;

  constructor(size: number) {
    this.#times = new Float64Array(size);
    this.#bits = new Uint32Array(size);
    this.#size = size;
  }

  get length(): number {
    return this.#length;
  }
  time(i: number): number {
    return this.#times[(this.#head + i) % this.#size]!;
  }
  bits(i: number): number {
    return this.#bits[(this.#head + i) % this.#size]!;
  }

  /** Appends an entry. The caller has checked that there is room. */
  add(time: number, bits: number): void {
    const index = (this.#head + this.#length) % this.#size;
    this.#times[index] = time;
    this.#bits[index] = bits;
    this.#length += 1;
  }

  drop(count: number): void {
    this.#head = (this.#head + count) % this.#size;
    this.#length -= count;
  }
  dropLast(): void {
    this.#length -= 1;
  }
  keepLast(count: number): void {
    if (this.#length > count) this.drop(this.#length - count);
  }

  /** Counts the leading entries before a time; all of them if the time is NaN. */
  countBefore(end: number): number {
    let count = 0;
    while (count < this.#length && !(this.time(count) >= end)) count++;
    return count;
  }
}
