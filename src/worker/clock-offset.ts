/**
 * The difference between the worker's clock and the page's. Both count from their own start, which `performance.timeOrigin` tells. Round
 * trips check that: the worker read its clock after the page had sent its question, and before the page got the answer.
 */
export class ClockOffset {
  // In an array, as fields would allocate each new number.
  readonly #figures = new Float64Array([NaN, -Infinity, Infinity, 0]);
  /** How often the bounds contradicted each other, as a clock was set or suspended. */
  resets = 0;

  /** What to add to a time of the page, to get that of the worker. */
  get value(): number {
    return this.#figures[VALUE]!;
  }

  /** What it is at least. */
  get least(): number {
    return this.#figures[LEAST]!;
  }

  /** How far off it can be at most, in milliseconds. */
  get error(): number {
    return this.#figures[MOST]! - this.#figures[LEAST]!;
  }

  /** Takes what the clocks say about their starts, in milliseconds. */
  tell(pageOrigin: number, workerOrigin: number): void {
    this.#figures[TOLD] = pageOrigin - workerOrigin;
    this.#decide();
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
    } else {
      // A clock was set, or stood still. Only the newest bounds hold.
      this.resets++;
      figures[LEAST] = least;
      figures[MOST] = most;
    }
    this.#decide();
  }

  /** Takes what the clocks told, within the bounds; or the middle of the bounds, if they told nothing. */
  #decide(): void {
    const figures = this.#figures;
    const least = figures[LEAST]!;
    const most = figures[MOST]!;
    const middle = least > -Infinity && most < Infinity ? (least + most) / 2 : 0;
    const told = Number.isNaN(figures[TOLD]!) ? middle : figures[TOLD]!;
    figures[VALUE] = Math.min(most, Math.max(least, told));
  }
}

const TOLD = 0;
const LEAST = 1;
const MOST = 2;
const VALUE = 3;
