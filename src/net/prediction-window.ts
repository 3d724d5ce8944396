/** A stall widens the window by this many ticks. */
const GROWTH = 4;
/** Ticks without a stall after which the window shrinks by one. */
const SHRINK_AFTER = 600;

/** How many ticks may be predicted. It grows when the session stalls, as in bursts of loss, and shrinks slowly afterwards. */
export class PredictionWindow {
  readonly #min: number;
  readonly #max: number;
  #size: number;
  #quiet = 0;

  constructor(min: number, max: number) {
    this.#min = min;
    this.#max = max;
    this.#size = min;
  }

  get size(): number {
    return this.#size;
  }

  onStall(): void {
    this.#quiet = 0;
    // Lockstep stays lockstep.
    if (this.#min > 0) this.#size = Math.min(this.#max, this.#size + GROWTH);
  }

  onStep(): void {
    if (this.#size > this.#min && ++this.#quiet >= SHRINK_AFTER) {
      this.#quiet = 0;
      this.#size--;
    }
  }
}
