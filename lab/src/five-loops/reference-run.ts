import { spring, stepSpring } from "../../../scenes/spring.js";

/** The reference for a simulation rate: steps of exactly dt from the start, independent of any display. */
export class ReferenceRun {
  readonly #states = [spring()];

  constructor(readonly rate: number) {}

  /** Position of the ball at this time; between two steps, after a shorter last step. */
  at(seconds: number): number {
    const ticks = seconds * this.rate;
    // A sum of frame times may fall just short of a whole step.
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
