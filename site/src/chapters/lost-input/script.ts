import { noise } from "../../../../scenes/display.js";

/** Seconds between the beginnings of two taps, and seconds that a tap lasts. */
const PAUSE = [0.18, 0.32] as const;
const LENGTH = [0.035, 0.065] as const;

/** Taps like those of a hurried visitor, always the same ones. */
export class TapScript {
  readonly #random = noise(8);
  #down = 0;
  #up = 0;

  constructor() {
    this.#next();
  }

  /** When the next tap begins and ends, in seconds. */
  get down(): number {
    return this.#down;
  }
  get up(): number {
    return this.#up;
  }

  /** Goes to the next tap after a time. */
  skipTo(time: number): void {
    while (this.#down < time) this.#next();
  }

  #next(): void {
    const between = ([low, high]: readonly [number, number]) => low + (high - low) * this.#random();
    this.#down += between(PAUSE);
    this.#up = this.#down + between(LENGTH);
  }
}
