/** Seconds for which the latest arrival counts. */
const SECONDS = 8;
/** Milliseconds that a tick may come later than the fastest ones and still count: what comes later was an outage. */
const OUTAGE = 500;
/** Spare ticks from which the client runs faster, and down to which; the same for slower. */
const FAST_ABOVE = 1.5;
const FAST_UNTIL = 0.75;
const SLOW_BELOW = 0.25;
const SLOW_UNTIL = 0.5;
const CHANGE = 0.05;
/** Spare ticks from which the client takes several steps at once, and how many it takes at most. */
const JUMP_ABOVE = 10;
const MAX_CATCH_UP = 8;

/**
 * Keeps a client in lockstep as close to the server as the line allows: it steps each tick just late enough for those that come
 * latest. How late a tick comes does not depend on the client's own pace.
 */
export class LockstepPace {
  readonly #tickMs: number;
  /** The latest and the earliest arrival of each of the last seconds, each as time minus the tick's due time. */
  readonly #latest = new Float64Array(SECONDS).fill(-Infinity);
  readonly #earliest = new Float64Array(SECONDS).fill(Infinity);
  /** In an array, as a field would allocate each new number: spare ticks. */
  readonly #figures = new Float64Array(1);
  #second = -1;
  #value = 1;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Forgets what was measured. */
  reset(): void {
    this.#latest.fill(-Infinity);
    this.#earliest.fill(Infinity);
    this.#second = -1;
    this.#value = 1;
  }

  get value(): number {
    return this.#value;
  }
  /** Ticks that the client is further behind than it must be. */
  get spare(): number {
    return this.#figures[0]!;
  }

  /** A tick has arrived. */
  onArrival(tick: number, now: number): void {
    const second = Math.floor(now / 1000);
    const slot = ((second % SECONDS) + SECONDS) % SECONDS;
    if (second !== this.#second) {
      this.#second = second;
      this.#latest[slot] = -Infinity;
      this.#earliest[slot] = Infinity;
    }
    const late = now - tick * this.#tickMs;
    if (late > this.#latest[slot]!) this.#latest[slot] = late;
    if (late < this.#earliest[slot]!) this.#earliest[slot] = late;
  }

  /** Returns how many steps to take now, provided that their ticks have arrived. `tick` is the next one to step. */
  stepsDue(tick: number, now: number): number {
    let latest = -Infinity;
    let earliest = Infinity;
    for (let i = 0; i < SECONDS; i++) {
      if (this.#latest[i]! > latest) latest = this.#latest[i]!;
      if (this.#earliest[i]! < earliest) earliest = this.#earliest[i]!;
    }
    const isKnown = earliest < Infinity;
    const until = Math.min(latest, earliest + OUTAGE);
    const spare = isKnown ? (now - tick * this.#tickMs - until) / this.#tickMs : 0;
    this.#figures[0] = spare;
    if (spare > FAST_ABOVE) this.#value = 1 + CHANGE;
    else if (spare < SLOW_BELOW) this.#value = 1 - CHANGE;
    else if (this.#value > 1 && spare <= FAST_UNTIL) this.#value = 1;
    else if (this.#value < 1 && spare >= SLOW_UNTIL) this.#value = 1;
    return spare > JUMP_ABOVE ? Math.min(MAX_CATCH_UP, Math.ceil(spare / 8)) : 1;
  }
}
