import type { DisplayClock } from "../time/index.js";
import type { DisplayInfo } from "./info.js";

/** Shows users what a display's clock knows: the clock counts milliseconds, as timestamps do, but users read seconds. */
export class DisplayView implements DisplayInfo {
  readonly #clock: DisplayClock;

  constructor(clock: DisplayClock) {
    this.#clock = clock;
  }

  get period(): number {
    return this.#clock.period / 1e3;
  }
  get fastest(): number {
    return this.#clock.fastest / 1e3;
  }
  get locked(): boolean {
    return this.#clock.locked;
  }
  get refreshes(): number {
    return this.#clock.refreshes;
  }
  get coarse(): boolean {
    return this.#clock.coarse;
  }
}
