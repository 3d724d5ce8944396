/** Frames from which the usual length is found. */
const COUNT = 5;

/** Keeps the lengths of the last frames, and finds their usual length. All times are in milliseconds. */
export class RecentFrames {
  /** Length of the next frame: set it, then call `add`. */
  elapsed: number;
  /** The usual length: see `findUsual`. */
  usual: number;
  private readonly lengths = new Float64Array(COUNT);
  private readonly sorted = new Float64Array(COUNT);
  /** Where the oldest length is, and how many there are. */
  private oldest = 0;
  private count = 0;

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.elapsed = this.usual = 0.5;
    this.elapsed = this.usual = 0;
  }

  /** Adds a frame. */
  add(): void {
    const { oldest } = this;
    this.lengths[oldest] = this.elapsed;
    this.oldest = oldest < COUNT - 1 ? oldest + 1 : 0;
    if (this.count < COUNT) this.count++;
  }

  /** Finds the usual length: the median, or the shortest if all others are multiples of it. */
  findUsual(): void {
    const { sorted, count } = this;
    sorted.set(this.lengths);
    // Lengths that are not known yet are 0, so first.
    sorted.sort();
    const first = COUNT - count;
    const shortest = sorted[first]!;
    let isWhole = shortest > 6;
    for (let i = first + 1; i < COUNT; i++) {
      const periods = sorted[i]! / shortest;
      isWhole &&= Math.abs(periods - Math.round(periods)) < 0.08;
    }
    this.usual = isWhole && sorted[COUNT - 1]! > 1.5 * shortest ? shortest : sorted[first + (count >> 1)]!;
  }
}
