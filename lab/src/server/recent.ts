/** How many virtual seconds recent figures cover. */
const SECONDS = 3;

/** How fast a total grew lately. */
export class RecentRate {
  #samples: { readonly at: number; readonly total: number }[] = [];

  /** Adds the total at a time in seconds. */
  add(at: number, total: number): void {
    this.#samples.push({ at, total });
    while (this.#samples[0]!.at < at - SECONDS) this.#samples.shift();
  }

  /** The growth per second. */
  get perSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    return first && last && last.at > first.at ? (last.total - first.total) / (last.at - first.at) : 0;
  }
}

/** The latest values of a figure, newest last. */
export class RecentValues {
  readonly all: number[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(value: number): void {
    this.all.push(value);
    if (this.all.length > this.#capacity) this.all.shift();
  }

  get mean(): number {
    return this.all.length > 0 ? this.all.reduce((sum, value) => sum + value, 0) / this.all.length : 0;
  }
}
