/**
 * The difference between the worker's clock and the page's. Both count from their own start, which `performance.timeOrigin` tells. Round
 * trips check that: the worker read its clock after the page had sent its question, and before the page got the answer.
 */
export class ClockOffset {
  // In an array, as fields would allocate each new number.
  readonly #figures = new Float64Array([NaN, -Infinity, Infinity]);
  /** How often the bounds contradicted each other, as a clock was set or suspended. */
  resets = 0;

  /** What to add to a time of the page, to get that of the worker. */
  get value(): number {
    const told = this.#figures[TOLD]!;
    const least = this.#figures[LEAST]!;
    const most = this.#figures[MOST]!;
    if (told >= least && told <= most) return told;
    if (least === -Infinity && most === Infinity) return 0;
    // The nearest bound, if the clocks tell something else; the middle, if they tell nothing.
    if (told < least) return least;
    if (told > most) return most;
    return least === -Infinity ? most : most === Infinity ? least : (least + most) / 2;
  }

  /** How far off it can be at most, in milliseconds. */
  get error(): number {
    return this.#figures[MOST]! - this.#figures[LEAST]!;
  }

  /** Takes what the clocks say about their starts, in milliseconds. */
  tell(pageOrigin: number, workerOrigin: number): void {
    this.#figures[TOLD] = pageOrigin - workerOrigin;
  }

  /** Takes a round trip: sent and received by the page's clock, answered by the worker's. */
  roundTrip(sent: number, answered: number, received: number): void {
    this.#bound(answered - received, answered - sent);
  }

  /** Takes a time of the worker that is over: something that the page found at `now`. */
  isPast(workerTime: number, now: number): void {
    if (workerTime - now > this.#figures[LEAST]!) this.#bound(workerTime - now, Infinity);
  }

  #bound(least: number, most: number): void {
    const figures = this.#figures;
    const [newLeast, newMost] = [Math.max(least, figures[LEAST]!), Math.min(most, figures[MOST]!)];
    if (newLeast <= newMost) {
      figures[LEAST] = newLeast;
      figures[MOST] = newMost;
      return;
    }
    // A clock was set, or stood still. Only the newest bounds hold.
    this.resets++;
    figures[LEAST] = least;
    figures[MOST] = most;
  }
}

const TOLD = 0;
const LEAST = 1;
const MOST = 2;
