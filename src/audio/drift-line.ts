import { SortedValues } from "./sorted-values.js";

/** Points in the line, and how many of them it takes to tell drift from noise. */
const POINTS = 24;
const ENOUGH = 6;
/** Sound cards are off by some 100 parts in a million at most. */
const MAX_SLOPE = 0.002;

/**
 * Fits a line through the last points: the median of all slopes, then the median of what is left (Theil and Sen). A quarter of
 * the points may be wrong without moving it. All times are in milliseconds.
 */
export class DriftLine {
  count = 0;
  /** Whether the line lies on top of the points, for values that may only be too small; else it lies in their middle. */
  isOnTop = false;
  /** How much values grow per millisecond. */
  slope: number;
  #start: number;
  #level: number;
  readonly #times = new Float64Array(POINTS);
  readonly #values = new Float64Array(POINTS);
  readonly #slopes = new SortedValues((POINTS * (POINTS - 1)) / 2);
  readonly #rest = new SortedValues(POINTS);

  constructor() {
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.slope = this.#start = this.#level = 0.5;
    this.slope = this.#start = this.#level = 0;
  }

  /** Forgets the points. The slope stays, as a sound card keeps its drift. */
  clear(): void {
    this.count = 0;
  }

  add(time: number, value: number): void {
    this.#times[this.count % POINTS] = time;
    this.#values[this.count % POINTS] = value;
    this.count++;
    const count = Math.min(this.count, POINTS);
    if (count >= ENOUGH) this.#findSlope(count);
    const rest = this.#rest;
    rest.clear();
    for (let i = 0; i < count; i++) rest.add(this.#values[i]! - this.slope * (this.#times[i]! - time));
    this.#start = time;
    this.#level = this.isOnTop ? rest.max : rest.median;
  }

  at(time: number): number {
    return this.#level + this.slope * (time - this.#start);
  }

  /** Returns the time at which `time + at(time)` is `sum`. */
  timeOfSum(sum: number): number {
    return (sum - this.#level + this.slope * this.#start) / (1 + this.slope);
  }

  #findSlope(count: number): void {
    const slopes = this.#slopes;
    slopes.clear();
    for (let i = 1; i < count; i++)
      for (let k = 0; k < i; k++) {
        const span = this.#times[i]! - this.#times[k]!;
        if (span !== 0) slopes.add((this.#values[i]! - this.#values[k]!) / span);
      }
    this.slope = Math.max(-MAX_SLOPE, Math.min(MAX_SLOPE, slopes.median));
  }
}
