const SENT = 256;
/** How fast averages follow, per sample. */
const SMOOTHING = 1 / 16;

// The places of the figures, and of the first pair: an end of our inputs, and when it was first sent.
const ROUND_TRIP = 0;
const SPREAD = 1;
const JITTER = 2;
const LOSS = 3;
const LAST_AT = 4;
const LAST_TRANSIT = 5;
const TICK_MS = 6;
const PAIRS = 7;

const pairOf = (end: number): number => PAIRS + 2 * (end % SENT);

/** Measures a link from the packets that pass: round trip, jitter, loss. It needs no packets of its own. */
export class LineQuality {
  /** In an array, as a field would allocate each new number; in one, as memory that is not in the processor's cache costs time. */
  readonly #figures = new Float64Array(PAIRS + 2 * SENT).fill(-1, PAIRS);
  #lastAck = -1;
  #lastEnd = -1;

  constructor(tickMs: number) {
    this.#figures[TICK_MS] = tickMs;
  }

  /** Smoothed, in milliseconds; 0 until the first measurement. */
  get roundTrip(): number {
    return this.#figures[ROUND_TRIP]!;
  }
  /** How much round trips vary, in milliseconds. */
  get roundTripSpread(): number {
    return this.#figures[SPREAD]!;
  }
  /** The mean change of the time that packets take, in milliseconds. */
  get jitter(): number {
    return this.#figures[JITTER]!;
  }
  /** The share of the peer's packets that did not arrive, 0 to 1. */
  get loss(): number {
    return this.#figures[LOSS]!;
  }

  onSent(end: number, now: number): void {
    const pair = pairOf(end);
    if (this.#figures[pair] === end) return;
    this.#figures[pair] = end;
    this.#figures[pair + 1] = now;
  }

  /** Takes the acknowledgement of a packet. It includes the time until the peer sent again. */
  onAck(ack: number, now: number): void {
    if (ack <= this.#lastAck) return;
    this.#lastAck = ack;
    const pair = pairOf(ack);
    if (this.#figures[pair] === ack) this.addRoundTrip(now - this.#figures[pair + 1]!);
  }

  /** Takes a round trip that was measured elsewhere, in milliseconds. */
  addRoundTrip(sample: number): void {
    const figures = this.#figures;
    if (figures[ROUND_TRIP] === 0) figures[ROUND_TRIP] = sample;
    figures[SPREAD]! += (Math.abs(sample - figures[ROUND_TRIP]!) - figures[SPREAD]!) * SMOOTHING;
    figures[ROUND_TRIP]! += (sample - figures[ROUND_TRIP]!) * SMOOTHING;
  }

  /** Takes the arrival of a packet whose inputs end at `end`. */
  onPacket(end: number, now: number): void {
    if (end <= this.#lastEnd) return;
    const figures = this.#figures;
    const tickMs = figures[TICK_MS]!;
    const transit = now - end * tickMs;
    if (this.#lastEnd >= 0) {
      figures[JITTER]! += (Math.abs(transit - figures[LAST_TRANSIT]!) - figures[JITTER]!) * SMOOTHING;
      // One packet per tick: those between are lost, or late; unless the peer took several steps at once.
      const ticks = Math.min(end - this.#lastEnd, Math.round((now - figures[LAST_AT]!) / tickMs), 64);
      for (let i = Math.max(1, ticks); i > 0; i--)
        figures[LOSS]! += ((i === 1 ? 0 : 1) - figures[LOSS]!) * (SMOOTHING / 16);
    }
    figures[LAST_AT] = now;
    figures[LAST_TRANSIT] = transit;
    this.#lastEnd = end;
  }
}
