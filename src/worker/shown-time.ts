import { RecentQuantile } from "./recent-quantile.js";

/** States whose lag is remembered. */
const SAMPLES = 2048;
/** Until this many states have come, the delay is at least one step: rare delays have not been seen yet. */
const ENOUGH = 60;
/** How much faster or slower than real time the shown time may run. */
const MAX_ADJUSTMENT = 0.01;
/** Milliseconds in which a small error of the delay is corrected. */
const CORRECTED_IN = 250;

/**
 * Decides which moment of the simulation the page shows: now, less a delay D, the smallest one for which the state after the shown
 * moment is there in time with the wanted probability.
 *
 * To show any moment between the states k - 1 and k, the page needs state k. It first needs it when it begins to leave state k - 1: at
 * the moment of that state, plus D. So state k is in time if D is at least the time from that moment to when the state is ready: its
 * lag. D is a quantile of the lags of the last states. It never jumps: the shown time runs at most 1 % faster or slower than real time.
 *
 * All times are milliseconds of the worker's clock.
 */
export class ShownTime {
  /** Calls of `advance`, and how many of them had no state for the wanted moment while the simulation ran. */
  frames = 0;
  starvedFrames = 0;
  readonly #lags: RecentQuantile;
  // In an array, as fields would allocate each new number.
  readonly #figures = new Float64Array([NaN, 0, 0, -Infinity, 0]);
  #hasBegun = false;

  /** `step` is how long a step takes in real time, in milliseconds. `inTime` is the wanted probability. */
  constructor(step: number, inTime: number) {
    this.#lags = new RecentQuantile(SAMPLES, inTime);
    this.#figures[DELAY] = this.#figures[FIRST] = this.#figures[WANTED] = step;
  }

  /** By how many milliseconds the picture is behind. Negative if it is ahead. */
  get delay(): number {
    return this.#figures[DELAY]!;
  }

  /** The delay that the last states call for. `delay` follows it slowly. */
  get wantedDelay(): number {
    return this.#figures[WANTED]!;
  }

  /** The moment that the last frame showed. */
  get shown(): number {
    return this.#figures[SHOWN]!;
  }

  /** How many states were counted, at most 2048. */
  get samples(): number {
    return this.#lags.count;
  }

  /** Returns the lag of a remembered state by its rank: 0 is the smallest one. */
  lagAt(rank: number): number {
    return this.#lags.at(rank);
  }

  /** Takes the lag of a state: when it was ready, less the moment of the state before it. */
  add(lag: number): void {
    const figures = this.#figures;
    this.#lags.add(lag);
    const { value, count } = this.#lags;
    figures[WANTED] = count >= ENOUGH ? value : Math.max(value, figures[FIRST]!);
  }

  /**
   * Lets the time pass. Call it once per frame, after writing the time to `at[0]`, where it leaves the moment to show, which is never
   * earlier than the last one. As an array, as arguments and results would allocate.
   */
  advance(at: Float64Array): void {
    const figures = this.#figures;
    const now = at[0]!;
    const elapsed = now - figures[NOW]!;
    if (!this.#hasBegun) {
      figures[DELAY] = figures[WANTED]!;
      this.#hasBegun = true;
    } else if (elapsed > 0) {
      const most = MAX_ADJUSTMENT * elapsed;
      const change = (figures[WANTED]! - figures[DELAY]!) * Math.min(1, elapsed / CORRECTED_IN);
      figures[DELAY]! += Math.max(-most, Math.min(most, change));
    }
    figures[NOW] = now;
    figures[SHOWN] = Math.max(figures[SHOWN]!, now - figures[DELAY]!);
    this.frames++;
    at[0] = figures[SHOWN]!;
  }

  /** Counts the last frame as starved. */
  starve(): void {
    this.starvedFrames++;
  }

  /** Begins again: the clock is another one, as another worker simulates. The delay stays. */
  restart(): void {
    this.#lags.clear();
    this.#figures[FIRST] = this.#figures[WANTED] = Math.max(this.#figures[FIRST]!, this.#figures[DELAY]!);
    this.#figures[NOW] = NaN;
    this.#figures[SHOWN] = -Infinity;
    this.#hasBegun = false;
  }
}

const NOW = 0;
const DELAY = 1;
/** The delay to begin with: one step. */
const FIRST = 2;
const SHOWN = 3;
const WANTED = 4;
