/** Frames that are compared. */
const FRAMES = 60;
/** Frames that are kept: the shown ones may be late by a quarter of a second. */
const KEPT = FRAMES + 16;
const MAX_LAG = 0.25;
/** Lags are tried in these steps, and then near the best one in milliseconds. */
const COARSE = 0.01;
const FINE = 0.001;

/** Measures by how much a picture is late: the delay of the truth that fits the last second best. */
export class LagMeter {
  readonly #fps: number;
  readonly #truth = new Float64Array(KEPT);
  readonly #shown = new Float64Array(KEPT);
  #count = 0;

  constructor(fps: number) {
    this.#fps = fps;
  }

  add(shown: number, truth: number): void {
    const slot = this.#count++ % KEPT;
    this.#shown[slot] = shown;
    this.#truth[slot] = truth;
  }

  /** Returns the lag in seconds; NaN without enough frames, or if nothing has moved. */
  measure(): number {
    if (this.#count < KEPT) return NaN;
    let [best, least, most] = [0, Infinity, 0];
    const tryAll = (from: number, to: number, step: number) => {
      for (let lag = Math.max(0, from); lag <= Math.min(MAX_LAG, to); lag += step) {
        const error = this.#errorOf(lag * this.#fps);
        most = Math.max(most, error);
        if (error < least) [best, least] = [lag, error];
      }
    };
    tryAll(0, MAX_LAG, COARSE);
    tryAll(best - COARSE, best + COARSE, FINE);
    return most > 1e-6 ? best : NaN;
  }

  /** The sum of the squares if the truth were late by a number of frames. */
  #errorOf(frames: number): number {
    const whole = Math.floor(frames);
    const part = frames - whole;
    let sum = 0;
    for (let age = 0; age < FRAMES; age++) {
      const at = this.#count - 1 - age;
      const late = this.#truth[(at - whole) % KEPT]!;
      const later = part > 0 ? this.#truth[(at - whole - 1) % KEPT]! : late;
      sum += (this.#shown[at % KEPT]! - late - (later - late) * part) ** 2;
    }
    return sum;
  }
}
