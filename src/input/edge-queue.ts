/** What waits for steps, in order: a ring of so many, each with its time and some bits. */
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

  /** Whoever adds has seen that there is room. */
  add(time: number, bits: number): void {
    const at = (this.#head + this.#length) % this.#size;
    this.#times[at] = time;
    this.#bits[at] = bits;
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

  /** How many, from the first on, fell before a time; all, if there is none (NaN). */
  countBefore(end: number): number {
    let count = 0;
    while (count < this.#length && !(this.time(count) >= end)) count++;
    return count;
  }
}
