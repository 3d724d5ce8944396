import { ClockDrift } from "./clock-drift.js";

/** Arrivals that are kept, and for how many milliseconds. */
const SAMPLES = 2048;
const MAX_AGE = 60_000;
/** The share of snapshots that may come too late. */
const LATE_SHARE = 0.001;
/** Until this many snapshots have arrived, the delay is at least the first one: rare delays have not been seen yet. */
const ENOUGH = 200;
/** The first delay, in send intervals. */
const FIRST_INTERVALS = 3;
/** How much faster or slower than the server's time the shown time may run. */
const MAX_ADJUSTMENT = 0.01;
/** Milliseconds in which a small error of the delay is corrected. */
const CORRECTED_IN = 1000;
/** Longest extrapolation, in milliseconds. */
export const MAX_EXTRAPOLATION = 250;
/** Restarts if nothing came in time for this many milliseconds. */
const RESTART = 1000;
/** Snapshots within this part of an interval arrive together. */
const TOGETHER = 0.25;

/**
 * Decides which moment of the server a viewer shows, so that there is nearly always a later snapshot to blend with.
 *
 * The server's time is that of its states, in milliseconds. The shown time lags behind: by the time that the fastest snapshots travel,
 * the send interval, and the 99.9th percentile of how late the next usable snapshot is. A lost one counts as late: the next one that
 * arrives takes its place. All of that is one figure per arrival: how long ago, on the server's clock, the snapshot before it was.
 *
 * The shown time never jumps. Its speed differs by at most 1 % from that of the server's time.
 */
export class JitterBuffer {
  /** Milliseconds between two snapshots. */
  readonly interval: number;
  /** Calls of `advance` for which no snapshot of the shown time or a later one had arrived. */
  starvedFrames = 0;
  /** Calls of `advance` since the first snapshot. */
  frames = 0;
  /** How often the shown time restarted, after long pauses. */
  restarts = 0;
  /** Whether the server stands still. Then nothing is extrapolated. */
  isPaused = false;
  readonly #drift = new ClockDrift();
  /** When snapshots arrived, and how far the shown time must lag behind for that to be in time. */
  readonly #arrivedAt = new Float64Array(SAMPLES);
  readonly #lags = new Float64Array(SAMPLES);
  #count = 0;
  #begun = false;
  #isSettling = true;
  // In an array, as fields would allocate each new number.
  readonly #figures = new Float64Array(FIGURES);

  constructor(interval: number) {
    this.interval = interval;
  }

  /** Whether a snapshot has arrived. */
  get hasBegun(): boolean {
    return this.#begun;
  }
  /** The moment that a viewer would show, if it could: now, less the delay. */
  get shown(): number {
    return this.#figures[NOW]! - this.#figures[LAG]!;
  }
  /** The moment to draw: at most 250 ms after the newest snapshot. Never earlier than before. */
  get drawn(): number {
    return this.#figures[DRAWN]!;
  }
  /** The newest snapshot. */
  get newest(): number {
    return this.#figures[NEWEST]!;
  }
  /** Whether the last call of `advance` had to extrapolate. */
  get isStarved(): boolean {
    return this.#begun && !this.isPaused && this.shown > this.newest;
  }
  /** Milliseconds by which the shown time lags behind the snapshots that travel fastest. */
  get delay(): number {
    return this.#begun ? this.#figures[LAG]! - this.#drift.least(this.#figures[NOW]!) : 0;
  }
  /** The delay that the last arrivals call for. `delay` follows it slowly. */
  get wantedDelay(): number {
    return this.#begun ? this.#figures[WANTED]! - this.#drift.least(this.#figures[WANTED_AT]!) : 0;
  }
  /** How much faster our clock runs than the server's, as a share. */
  get drift(): number {
    return this.#drift.slope;
  }

  /** Takes the arrival of a usable snapshot. `time` is that of its state on the server. */
  arrive(time: number, now: number): void {
    const figures = this.#figures;
    if (!this.#begun) this.#begin(time, now);
    // One that was overtaken, or a duplicate, is of no use for the delay.
    if (time <= figures[NEWEST]!) return;
    const lag = now - figures[NEWEST]!;
    const isTogether = now - figures[LAST_ARRIVAL]! < TOGETHER * this.interval;
    figures[NEWEST] = time;
    figures[LAST_ARRIVAL] = now;
    if (this.#isSettling) {
      this.#isSettling = isTogether;
      return this.#anchor(time, now);
    }
    // After an outage, or if all came too late for long: the latency has grown, or the server has lost time.
    const isInTime = now - figures[LAG]! <= time;
    if (isInTime) figures[IN_TIME] = now;
    if (lag - figures[LAG]! > RESTART || now - figures[IN_TIME]! > RESTART) {
      this.restart();
      return this.#anchor(time, now);
    }
    this.#drift.add(now - time, now);
    // What follows at once says nothing new: the first one was late.
    if (!isTogether) this.#addSample(lag, now);
  }

  #begin(time: number, now: number): void {
    const figures = this.#figures;
    this.#begun = true;
    figures[DELAY] = FIRST_INTERVALS * this.interval;
    figures[NOW] = Math.max(figures[NOW]!, now);
    figures[NEWEST] = -Infinity;
    figures[LAST_ARRIVAL] = -Infinity;
    figures[DRAWN] = time;
    this.#isSettling = true;
  }

  /** Goes on with the next snapshot, as if the time between had not passed: the server was paused, or this program was. */
  restart(): void {
    if (!this.#begun || this.#isSettling) return;
    this.#figures[DELAY] = Math.min(RESTART, Math.max(this.delay, this.interval));
    this.#isSettling = true;
    this.restarts++;
  }

  /** Forgets everything, as another server sends from now on. */
  reset(): void {
    this.#begun = false;
    this.#isSettling = true;
    this.#count = 0;
    this.#drift.reset(false);
  }

  /** Shows the moment that precedes a snapshot by the last delay. */
  #anchor(time: number, now: number): void {
    const figures = this.#figures;
    this.#drift.reset(true);
    this.#drift.add(now - time, now);
    this.#count = 0;
    figures[LAG] = figures[WANTED] = now - time + figures[DELAY]!;
    figures[WANTED_AT] = figures[IN_TIME] = now;
  }

  #addSample(lag: number, now: number): void {
    const figures = this.#figures;
    const slot = this.#count++ % SAMPLES;
    this.#arrivedAt[slot] = now;
    this.#lags[slot] = lag;
    const wanted = this.#quantile(now);
    const isSure = this.#count >= ENOUGH;
    figures[WANTED] = isSure ? wanted : Math.max(wanted, this.#drift.least(now) + figures[DELAY]!);
    figures[WANTED_AT] = now;
  }

  /** Returns the 99.9th percentile of the lags, each as it would be now. */
  #quantile(now: number): number {
    const { slope } = this.#drift;
    const held = Math.min(this.#count, SAMPLES);
    let count = 0;
    let first = -Infinity;
    let second = -Infinity;
    let third = -Infinity;
    for (let i = 0; i < held; i++) {
      const age = now - this.#arrivedAt[i]!;
      if (age > MAX_AGE) continue;
      count++;
      const lag = this.#lags[i]! + slope * age;
      if (lag <= third) continue;
      third = lag;
      if (lag > second) {
        third = second;
        second = lag;
      }
      if (lag > first) {
        second = first;
        first = lag;
      }
    }
    // At most the third largest of 2048.
    const rank = Math.floor(LATE_SHARE * count);
    return rank === 0 ? first : rank === 1 ? second : third;
  }

  /** Lets the time pass. Call it once per frame. Returns the moment to draw. */
  advance(now: number): number {
    const figures = this.#figures;
    const elapsed = now - figures[NOW]!;
    if (!(elapsed >= 0)) return this.drawn;
    figures[NOW] = now;
    if (!this.#begun) return 0;
    const { slope } = this.#drift;
    const drifted = slope * elapsed;
    const wanted = figures[WANTED]! + slope * (now - figures[WANTED_AT]!);
    const error = wanted - (figures[LAG]! + drifted);
    const most = MAX_ADJUSTMENT * elapsed;
    const change = error * Math.min(1, elapsed / CORRECTED_IN);
    figures[LAG]! += drifted + Math.max(-most, Math.min(most, change));
    this.frames++;
    if (this.isStarved) this.starvedFrames++;
    this.#draw();
    return this.drawn;
  }

  #draw(): void {
    const figures = this.#figures;
    const extrapolation = this.isPaused ? 0 : MAX_EXTRAPOLATION;
    const wanted = Math.min(this.shown, this.newest + extrapolation);
    // After a restart, the picture waits until the shown time has caught up with it.
    if (wanted > figures[DRAWN]! || figures[DRAWN]! - wanted > RESTART) figures[DRAWN] = wanted;
  }
}

const NOW = 0;
/** `shown` is now, less this. It contains the difference of the clocks, the latency and the delay. */
const LAG = 1;
/** What the lag should be, as of a moment. */
const WANTED = 2;
const WANTED_AT = 3;
/** The delay to start with, or to go on with after a pause. */
const DELAY = 4;
const NEWEST = 5;
const LAST_ARRIVAL = 6;
const DRAWN = 7;
/** When the last snapshot arrived before its moment was shown. */
const IN_TIME = 8;
const FIGURES = 9;
