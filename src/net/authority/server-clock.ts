/** Measurements that are kept. The one with the shortest round trip counts, as it was delayed least. */
const SAMPLES = 64;
/** How fast averages follow, per sample. */
const SMOOTHING = 1 / 16;

/** Estimates what the server's clock shows, in ticks, and how long messages take. */
export class ServerClock {
  readonly #tickMs: number;
  readonly #offsets = new Float64Array(SAMPLES);
  readonly #trips = new Float64Array(SAMPLES).fill(Infinity);
  /** Best offset, round trip, jitter, and the last round trip. In an array, as a field would allocate each new number. */
  readonly #figures = new Float64Array(4);
  #count = 0;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  reset(): void {
    this.#trips.fill(Infinity);
    this.#count = 0;
  }

  /**
   * Takes a measurement: a message left here at `sentAt`, reached the server when its tick was `arrived`, which answered when its tick was
   * `answered`; the answer is here now.
   */
  add(sentAt: number, arrived: number, answered: number, now: number): void {
    const trip = now - sentAt - (answered - arrived) * this.#tickMs;
    if (!(trip >= 0)) return;
    const figures = this.#figures;
    const slot = this.#count++ % SAMPLES;
    this.#trips[slot] = trip;
    this.#offsets[slot] = ((arrived + answered) * this.#tickMs - sentAt - now) / 2;
    if (figures[1] === 0) figures[1] = figures[3] = trip;
    figures[2]! += (Math.abs(trip - figures[3]!) - figures[2]!) * SMOOTHING;
    figures[1]! += (trip - figures[1]!) * SMOOTHING;
    figures[3] = trip;
    let best = 0;
    for (let i = 1; i < SAMPLES; i++) if (this.#trips[i]! < this.#trips[best]!) best = i;
    figures[0] = this.#offsets[best]!;
  }

  get isKnown(): boolean {
    return this.#count > 0;
  }
  /** Milliseconds there and back, smoothed. 0 if unknown. */
  get roundTrip(): number {
    return this.#figures[1]!;
  }
  /** The mean change of the round trip, in milliseconds. */
  get jitter(): number {
    return this.#figures[2]!;
  }

  /** Returns the tick of the server at a moment of our clock, with its fraction. */
  tickAt(now: number): number {
    return (now + this.#figures[0]!) / this.#tickMs;
  }
}
