/** Measurements that are kept: those of about three seconds. Clocks run apart, so older ones would mislead. */
const SAMPLES = 192;
/** How fast averages follow, per sample. */
const SMOOTHING = 1 / 16;

/**
 * Estimates what the server's clock shows, in ticks, and how long messages take. Of the messages in each direction, the one counts that
 * was delayed least: with jitter, hardly any message is fast on both ways.
 */
export class ServerClock {
  readonly #tickMs: number;
  /** What the clocks differ by, plus the latency there; and the latency back, minus what they differ by. */
  readonly #there = new Float64Array(SAMPLES).fill(Infinity);
  readonly #back = new Float64Array(SAMPLES).fill(Infinity);
  /** Offset, round trip, jitter, and the last round trip. In an array, as a field would allocate each new number. */
  readonly #figures = new Float64Array(4);
  #count = 0;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  reset(): void {
    this.#there.fill(Infinity);
    this.#back.fill(Infinity);
    this.#count = 0;
  }

  /**
   * Takes a measurement: a message left here at `sentAt`, reached the server when its tick was `arrived`, which answered when its tick was
   * `answered`; the answer is here now.
   */
  add(sentAt: number, arrived: number, answered: number, now: number): void {
    const there = arrived * this.#tickMs - sentAt;
    const back = now - answered * this.#tickMs;
    const trip = there + back;
    if (!(trip >= 0)) return;
    const figures = this.#figures;
    const slot = this.#count % SAMPLES;
    if (this.#count++ === 0) {
      figures[1] = figures[3] = trip;
      figures[2] = 0;
    }
    this.#there[slot] = there;
    this.#back[slot] = back;
    figures[2]! += (Math.abs(trip - figures[3]!) - figures[2]!) * SMOOTHING;
    figures[1]! += (trip - figures[1]!) * SMOOTHING;
    figures[3] = trip;
    figures[0] = (lowest(this.#there) - lowest(this.#back)) / 2;
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

function lowest(values: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! < least) least = values[i]!;
  return least;
}
