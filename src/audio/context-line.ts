import { DriftLine } from "./drift-line.js";
import { SortedValues } from "./sorted-values.js";

/** Milliseconds of readings that become one point of the line: few at first, to know something soon. */
const FIRST_WINDOW = 100;
const WINDOW = 500;
const READINGS = 64;
/** A point this far off the line, in milliseconds, is a step of the clock: after a gap in the sound, or on another device. */
const STEP = 4;
/** Readings this far off, this many in a row, mean that the context was suspended. */
const JUMP = 60;
const JUMPS = 3;
/** One is enough after this many milliseconds without a reading, as in a hidden page. */
const GAP = 1000;
/** Output timestamps whose middle half spreads less than this, in milliseconds, are good. */
const STEADY = 0.5;
/** The fewest output timestamps in a window that say anything. */
const FEW = 4;

/**
 * Fits the context time that is heard to a clock in milliseconds. Both differ in rate by some parts in a million, and step
 * against each other when sound drops out.
 *
 * Output timestamps are used where they are steady, as in Chromium. Otherwise `currentTime` is: it advances in blocks of 3 to
 * 20 ms, so of each window the largest counts, which is the one that was read right after a block.
 */
export class ContextLine {
  /** How far `currentTime` is ahead of what is heard, in milliseconds, as far as the browser knows. */
  private lead: number;
  /** Milliseconds that the sound takes besides, which the browser does not know. */
  private readonly extra: number;
  readonly #line = new DriftLine();
  readonly #current = new SortedValues(READINGS);
  readonly #output = new SortedValues(READINGS);
  /** Windows in the line. Before the first, it is a guess from what there is. */
  #points = 0;
  #windowStart: number;
  #reported: number;
  #readAt: number;
  #jumps = 0;
  #badWindows = 0;
  #usesOutput = true;

  /** `extraLatency`, in seconds, is what the sound takes besides what the browser knows. */
  constructor(extraLatency: number) {
    this.extra = extraLatency * 1000;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    this.lead = this.#windowStart = this.#reported = this.#readAt = 0.5;
    this.lead = this.#windowStart = this.#reported = this.#readAt = 0;
  }

  /** How far `currentTime` is ahead of what is heard, in seconds. */
  get latency(): number {
    return (this.lead + this.extra) / 1000;
  }
  /** How much faster the context runs than the clock: 0.0001 is 100 parts in a million. */
  get drift(): number {
    return this.#line.slope;
  }

  /** Forgets everything but the drift, as after the context was suspended. */
  clear(): void {
    this.#clearLine();
    this.#current.clear();
    this.#output.clear();
    this.#jumps = this.#badWindows = 0;
    this.#usesOutput = true;
  }

  /**
   * Takes a reading at `now`: the context's current time, and its output timestamp, NaN if there is none. `latency` is what the
   * context says about its output, and counts without output timestamps. Context times are in seconds.
   */
  add(now: number, currentTime: number, outputNow: number, outputTime: number, latency: number): void {
    const current = currentTime * 1000 - now;
    const output = outputTime * 1000 - outputNow;
    this.#reported = latency * 1000;
    this.#watchJumps(now, current, output);
    this.#readAt = now;
    if (this.#current.count === 0) this.#windowStart = now;
    this.#current.add(current);
    if (!Number.isNaN(output)) this.#output.add(output);
    const length = this.#points < 2 ? FIRST_WINDOW : WINDOW;
    if (now - this.#windowStart >= length) this.#closeWindow(now);
    else if (this.#points === 0) this.#guess(now);
  }

  /** Returns the context time that is heard at a moment, in seconds. */
  timeAt(timestamp: number): number {
    return (timestamp + this.#line.at(timestamp) - this.extra) / 1000;
  }

  /** Returns when a context time is heard. */
  timestampAt(contextTime: number): number {
    return this.#line.timeOfSum(contextTime * 1000 + this.extra);
  }

  #watchJumps(now: number, current: number, output: number): void {
    if (this.#points === 0) return;
    const isOutput = this.#usesOutput && !Number.isNaN(output);
    const off = (isOutput ? output : current - this.lead) - this.#line.at(now);
    this.#jumps = Math.abs(off) > JUMP ? this.#jumps + 1 : 0;
    if (this.#jumps >= (now - this.#readAt > GAP ? 1 : JUMPS)) this.clear();
  }

  #guess(now: number): void {
    const value = this.#value();
    this.#line.isOnTop = false;
    this.#line.clear();
    this.#line.add(now, value);
    this.lead = this.#current.max - value;
  }

  #clearLine(): void {
    this.#line.clear();
    this.#points = 0;
    this.lead = 0;
  }

  #value(): number {
    return this.#isOutputGood() ? this.#output.median : this.#current.max - this.#reported;
  }

  #isOutputGood(): boolean {
    const { count, spread } = this.#output;
    if (!this.#usesOutput || count < Math.max(FEW, this.#current.count / 2)) return false;
    return spread <= Math.max(STEADY, this.#current.spread / 2);
  }

  #closeWindow(now: number): void {
    const isGood = this.#isOutputGood();
    // One bad window may be an accident. After two, current times are used until the context is resumed.
    this.#badWindows = isGood ? 0 : this.#badWindows + 1;
    if (this.#usesOutput && !isGood && this.#badWindows >= 2) {
      this.#usesOutput = false;
      this.#clearLine();
    }
    if (isGood || !this.#usesOutput || this.#points === 0) this.#addPoint((now + this.#windowStart) / 2);
    this.#current.clear();
    this.#output.clear();
  }

  #addPoint(time: number): void {
    const value = this.#value();
    if (this.#points === 0 || Math.abs(value - this.#line.at(time)) > STEP) this.#clearLine();
    this.#points++;
    this.#line.isOnTop = !this.#usesOutput;
    this.lead = Math.max(this.lead, this.#current.max - value);
    this.#line.add(time, value);
  }
}
