/** How many of the last inputs count. At 60 ticks per second, these are those of the last eight seconds. */
const SAMPLES = 512;
/** The share of inputs that may come later than planned. Less than what is tolerated, as the future differs from the past. */
const LATE_SHARE = 0.005;
/** How early, in ticks, the inputs should arrive that come latest. */
const SAFETY = 0.5;
/** New samples after which the quantile is computed again. A sample below it counts at once. */
const REFRESH = 16;
/** Milliseconds without arrivals that count as an outage: no lead could make up for it. */
const OUTAGE = 500;
/** Ticks whose time of sending is kept. */
const SENT = 1024;
/** If the last `RECENT` samples are all `SHIFT` milliseconds above the quantile, the line or the server has changed: older ones are forgotten. */
const RECENT = 64;
const SHIFT = 400;
/** Samples until the lead is known well enough to slow down. */
const ENOUGH = 60;

/**
 * Finds out how far ahead of the server a client must run, so that its inputs arrive in time. The server reports how early each input
 * came. That and the time of sending give a figure that does not depend on the client's pace: the latest moment to send a tick's
 * input. Its low quantile over the last seconds is what to aim at: jitter and losses are in it.
 */
export class Lead {
  readonly #tickMs: number;
  /** When each tick was first sent. */
  readonly #sentAt = new Float64Array(SENT);
  readonly #sentTick = new Float64Array(SENT).fill(-1);
  readonly #samples = new Float64Array(SAMPLES);
  readonly #sorted = new Float64Array(SAMPLES);
  /** The quantile, and the mean of how early inputs came, in milliseconds. In an array, as a field would allocate each new number. */
  readonly #figures = new Float64Array(3);
  #count = 0;
  #newest = -1;
  #untilRefresh = 0;

  constructor(tickMs: number) {
    this.#tickMs = tickMs;
  }

  /** Forgets what was measured, as after a long pause. */
  reset(): void {
    this.#count = 0;
    this.#newest = -1;
    this.#untilRefresh = 0;
    this.#sentTick.fill(-1);
  }

  /** Notes that the input of a tick is sent. Only the first time counts. */
  onSent(tick: number, now: number): void {
    const slot = tick % SENT;
    if (this.#sentTick[slot] === tick) return;
    this.#sentTick[slot] = tick;
    this.#sentAt[slot] = now;
  }

  /** Returns when the input of a tick was first sent, or -1 if that is not known. */
  sentAt(tick: number): number {
    const slot = tick % SENT;
    return this.#sentTick[slot] === tick ? this.#sentAt[slot]! : -1;
  }

  /** Takes a report: the inputs of the ticks from `first` to `end - 1` came together, the last one `early` ticks before its step. */
  onReport(first: number, end: number, early: number): void {
    // After an outage, the last input tells what the line is like again.
    const isOutage = (end - first) * this.#tickMs > OUTAGE;
    for (let tick = Math.max(isOutage ? end - 1 : first, this.#newest + 1); tick < end; tick++) {
      this.#newest = tick;
      const sentAt = this.sentAt(tick);
      if (sentAt < 0) continue;
      const earlyMs = (early - (end - 1 - tick)) * this.#tickMs;
      const sample = earlyMs + sentAt - tick * this.#tickMs;
      // An old input that was lost, and not sent again for long, as this machine stood still.
      if (tick < end - 1 && this.isSure && sample < this.#figures[0]! - OUTAGE) continue;
      this.#add(sample, earlyMs);
    }
  }

  #add(sample: number, earlyMs: number): void {
    const figures = this.#figures;
    figures[1]! += (earlyMs - figures[1]!) / Math.min(64, this.#count + 1);
    figures[2]! += (Math.abs(earlyMs - figures[1]!) - figures[2]!) / Math.min(64, this.#count + 1);
    this.#samples[this.#count % SAMPLES] = sample;
    this.#count++;
    if (--this.#untilRefresh <= 0 || sample < figures[0]!) this.#refresh();
  }

  #refresh(): void {
    const count = Math.min(this.#count, SAMPLES);
    const sorted = this.#sorted;
    const rise = this.#rise(count);
    sorted.fill(Infinity);
    for (let i = 0; i < count; i++) sorted[i] = this.#sampleOf(count, i) + rise * (count - 1 - i);
    sorted.sort();
    this.#figures[0] = sorted[Math.floor(count * LATE_SHARE)]!;
    this.#untilRefresh = REFRESH;
    if (count > RECENT && this.#lowestOf(count, RECENT) > this.#figures[0]! + SHIFT) this.#keep(RECENT);
  }

  #lowestOf(count: number, last: number): number {
    let lowest = Infinity;
    for (let i = count - last; i < count; i++) {
      const sample = this.#sampleOf(count, i);
      if (sample < lowest) lowest = sample;
    }
    return lowest;
  }

  /** Forgets all but the last samples. */
  #keep(last: number): void {
    const count = Math.min(this.#count, SAMPLES);
    for (let i = 0; i < last; i++) this.#sorted[i] = this.#sampleOf(count, count - last + i);
    for (let i = 0; i < last; i++) this.#samples[i] = this.#sorted[i]!;
    this.#count = last;
    this.#refresh();
  }

  /** The samples in order, the oldest first. */
  #sampleOf(count: number, index: number): number {
    return this.#samples[(this.#count - count + index) % SAMPLES]!;
  }

  /** Returns how much the samples rise, per sample: if our clock runs fast, old ones must be raised to compare them with new ones. */
  #rise(count: number): number {
    const half = count >> 1;
    if (count < ENOUGH) return 0;
    let [older, newer] = [0, 0];
    for (let i = 0; i < half; i++) {
      older += this.#sampleOf(count, i);
      newer += this.#sampleOf(count, count - 1 - i);
    }
    return Math.max(0, (newer - older) / half / (count - half));
  }

  get isKnown(): boolean {
    return this.#count > 0;
  }
  /** Whether enough is known to give up some of the lead. */
  get isSure(): boolean {
    return this.#count >= ENOUGH;
  }

  /** How early the inputs arrive on average, in ticks. */
  get margin(): number {
    return this.#figures[1]! / this.#tickMs;
  }
  /** How much that varies, in ticks. */
  get marginSpread(): number {
    return this.#figures[2]! / this.#tickMs;
  }

  /** Returns how many ticks more than needed the client is ahead, if it sends the input of a tick now. Negative: it sends too late. */
  excess(tick: number, now: number): number {
    return tick + (this.#figures[0]! - now) / this.#tickMs - SAFETY;
  }
}

/** The largest change of the pace. */
const CHANGE = 0.05;
/** Ticks too many before the client slows down, and those that may stay. */
const SLOW_ABOVE = 0.9;
const SLOW_UNTIL = 0.3;
/** Ticks too many that may be there once the client no longer speeds up. */
const FAST_UNTIL = 0.25;

/** Turns the excess into a pace: faster at once if inputs come too late, slower only if they come clearly too early. */
export class LeadPace {
  #value = 1;

  get value(): number {
    return this.#value;
  }

  update(excess: number, maySlowDown: boolean): void {
    if (excess < 0) this.#value = 1 + CHANGE;
    else if (excess > SLOW_ABOVE && maySlowDown) this.#value = 1 - CHANGE;
    else if (this.#value > 1 && excess >= FAST_UNTIL) this.#value = 1;
    else if (this.#value < 1 && excess <= SLOW_UNTIL) this.#value = 1;
  }
}
