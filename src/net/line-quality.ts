const SENT = 256;
/** How fast averages follow, per sample. */
const SMOOTHING = 1 / 16;

/** Measures a link from the packets that pass: round trip, jitter, loss. It needs no packets of its own. */
export class LineQuality {
  /** When each end of our inputs was first sent. */
  readonly #sentAt = new Float64Array(SENT);
  readonly #sentEnd = new Float64Array(SENT).fill(-1);
  /** Smoothed, in milliseconds; 0 until the first measurement. */
  roundTrip = 0;
  /** The mean change of the time that packets take, in milliseconds. */
  jitter = 0;
  /** The share of the peer's packets that did not arrive, 0 to 1. */
  loss = 0;
  readonly #tickMs: number;
  #lastAck = -1;
  #lastEnd = -1;
  #lastAt = 0;
  #lastTransit = 0;
  #hasTransit = false;
  #roundTripSpread = 0;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** How much round trips vary, in milliseconds. */
  get roundTripSpread(): number {
    return this.#roundTripSpread;
  }

  onSent(end: number, now: number): void {
    const slot = end % SENT;
    if (this.#sentEnd[slot] === end) return;
    this.#sentEnd[slot] = end;
    this.#sentAt[slot] = now;
  }

  /** Takes the acknowledgement of a packet. It includes the time until the peer sent again. */
  onAck(ack: number, now: number): void {
    if (ack <= this.#lastAck) return;
    this.#lastAck = ack;
    const slot = ack % SENT;
    if (this.#sentEnd[slot] !== ack) return;
    const sample = now - this.#sentAt[slot]!;
    if (this.roundTrip === 0) this.roundTrip = sample;
    this.#roundTripSpread += (Math.abs(sample - this.roundTrip) - this.#roundTripSpread) * SMOOTHING;
    this.roundTrip += (sample - this.roundTrip) * SMOOTHING;
  }

  /** Takes the arrival of a packet whose inputs end at `end`. */
  onPacket(end: number, now: number): void {
    const tickMs = this.#tickMs;
    const transit = now - end * tickMs;
    if (this.#hasTransit && end > this.#lastEnd)
      this.jitter += (Math.abs(transit - this.#lastTransit) - this.jitter) * SMOOTHING;
    if (end > this.#lastEnd) {
      // One packet per tick: those between are lost, or late; unless the peer took several steps at once.
      const ticks = Math.min(end - this.#lastEnd, Math.round((now - this.#lastAt) / tickMs), 64);
      if (this.#lastEnd >= 0)
        for (let i = Math.max(1, ticks); i > 0; i--)
          this.loss += ((i === 1 ? 0 : 1) - this.loss) * (SMOOTHING / 16);
      this.#lastAt = now;
      this.#lastEnd = end;
      this.#lastTransit = transit;
      this.#hasTransit = true;
    }
  }
}
