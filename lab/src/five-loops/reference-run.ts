import { spring, stepSpring } from "../../../scenes/spring.js";

/** The run that a simulation rate stands for: steps of exactly dt from the start, on no display at all. */
export class ReferenceRun {
  readonly #states = [spring()];

  constructor(readonly rate: number) {}

  /** Where the ball is at this time; between two steps, after a shorter one. */
  at(seconds: number): number {
    const ticks = seconds * this.rate;
    // A sum of frames misses a whole step by a hair.
    const whole = Math.floor(ticks + 1e-5);
    const rest = (ticks - whole) / this.rate;
    const state = { ...this.#after(whole) };
    if (rest > 1e-7) stepSpring(state, rest);
    return state.x;
  }

  #after(tick: number) {
    for (let last = this.#states.length; last <= tick; last++) {
      const state = { ...this.#states[last - 1]! };
      stepSpring(state, 1 / this.rate);
      this.#states.push(state);
    }
    return this.#states[tick]!;
  }
}
