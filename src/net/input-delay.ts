/** The longest input delay, in ticks. */
export const MAX_DELAY = 10;

/** Milliseconds that a lower delay must have sufficed before the delay falls by one. */
const FALL_AFTER = 5000;

/**
 * Chooses the input delay: fixed, or from the round trip and its spread. It rises at once and falls slowly, by one tick at a time, as
 * each change is felt.
 */
export class InputDelay {
  readonly #isAuto: boolean;
  /** Ticks that may be predicted without being noticed: the delay need not cover them. */
  readonly #tolerated: number;
  readonly #tickMs: number;
  #value: number;
  #lowSince = Infinity;

  constructor(delay: number | "auto", tolerated: number, tickMs: number) {
    this.#isAuto = delay === "auto";
    this.#value = delay === "auto" ? 0 : delay;
    this.#tolerated = tolerated;
    this.#tickMs = tickMs;
  }

  get value(): number {
    return this.#value;
  }

  /** Takes the worst measurements of all links, in milliseconds. */
  update(roundTrip: number, spread: number, now: number): void {
    if (!this.#isAuto || roundTrip === 0) return;
    const oneWay = (roundTrip / 2 + 2 * spread) / this.#tickMs;
    const wanted = Math.min(MAX_DELAY, Math.max(0, Math.ceil(oneWay) - this.#tolerated));
    if (wanted > this.#value) this.#value = wanted;
    if (wanted >= this.#value) this.#lowSince = Infinity;
    else if (this.#lowSince === Infinity) this.#lowSince = now;
    else if (now - this.#lowSince > FALL_AFTER) {
      this.#value--;
      this.#lowSince = now;
    }
  }
}
