import { mulDiv, remainder } from "./mul-div.js";
import { SECOND } from "./rate.js";
import { requireNumber } from "./refuse.js";

/** Time scales are held in whole billionths. */
const ONE = 1e9;

/** The most seconds of any setting, and the largest scale: together they keep scaled time below 2^53 ns. */
export const LONGEST = 3600;
const LARGEST_SCALE = 1000;

/**
 * Turns real time into virtual time: a scale, a pause, and a linear ramp from one scale to another.
 * Whole nanoseconds in, whole nanoseconds out; what scaling leaves over is carried on.
 */
export class VirtualClock {
  #paused = false;
  /** Whether virtual time is just real time: no pause, no ramp, and a scale of 1. */
  plain = true;
  /** The scale in billionths; during a ramp, the one it leads to. */
  #scale = ONE;
  /** Billionths of a nanosecond left over: of time handed on, and of time cut off. */
  readonly #left = new Float64Array(2);
  /** The ramp: its first scale, its length (0 for none), how far it has come, what it has handed on. */
  #from = 0;
  #length = 0;
  #at = 0;
  #handedOn = 0;

  get paused(): boolean {
    return this.#paused;
  }

  set paused(paused: boolean) {
    this.#paused = paused;
    this.#update();
  }

  /** Virtual seconds a real second at this moment, were it not paused. */
  get scale(): number {
    return this.#present / ONE;
  }

  /** Sets the scale, at once or along a ramp of so many seconds of clamped real time. */
  setScale(call: string, scale: number, seconds: number): void {
    requireNumber(`${call}: timeScale`, scale, 0, LARGEST_SCALE, "0.5, or pause()");
    requireNumber(`${call}: seconds`, seconds, 0, LONGEST, 0.5);
    this.#from = this.#present;
    this.#scale = Math.round(scale * ONE);
    this.#length = Math.round(seconds * SECOND);
    this.#at = this.#handedOn = 0;
    this.#update();
  }

  #update(): void {
    this.plain = !this.#paused && this.#scale === ONE && this.#length === 0;
  }

  /** Hands on the virtual time of so much real time. */
  advance(real: number): number {
    if (this.plain) return real;
    if (this.#paused) return 0;
    if (this.#length === 0) return this.#carry(real, this.#scale, 0);
    const at = Math.min(this.#at + real, this.#length);
    const past = this.#at + real - at;
    const before = this.#handedOn;
    this.#at = at;
    this.#handedOn = this.#rampIntegral(at);
    const virtual = this.#handedOn - before;
    if (at < this.#length) return virtual;
    this.#length = 0;
    this.#update();
    return virtual + this.advance(past);
  }

  #carry(real: number, scale: number, which: 0 | 1): number {
    const virtual = mulDiv(real, scale, ONE);
    const left = this.#left[which]! + remainder;
    this.#left[which] = left % ONE;
    return left < ONE ? virtual : virtual + 1;
  }

  /** Virtual time since the ramp began, to the nearest nanosecond: frames of any length add up alike. */
  #rampIntegral(at: number): number {
    const mean = this.#from + this.#climb(at, 2 * this.#length);
    const rest = mulDiv(at, remainder, 2 * this.#length);
    return mulDiv(at, mean, ONE) + Math.floor((remainder + rest + ONE / 2) / ONE);
  }

  /** The ramp's whole change × at / length, rounded down for either sign; `remainder` has the rest. */
  #climb(at: number, length: number): number {
    const change = this.#scale - this.#from;
    if (change >= 0) return mulDiv(change, at, length);
    // Down from the top: change × at = (change × at + -change × length) − -change × length.
    return change + mulDiv(-change, length - at, length);
  }

  /** The scale of this moment, in billionths, to the nearest. */
  get #present(): number {
    if (this.#length === 0) return this.#scale;
    const climb = this.#climb(this.#at, this.#length);
    return this.#from + climb + (2 * remainder >= this.#length ? 1 : 0);
  }

  /** The virtual time, at the present scale, of real time that is cut off. */
  cut(real: number): number {
    return this.#carry(real, this.#present, 1);
  }

  /** The most virtual time that so much real time may hand on at the present scale. */
  most(real: number): number {
    return mulDiv(real, this.#present, ONE);
  }

  /** Real seconds until so many virtual seconds have passed; negative for the past. */
  realSecondsFor(virtual: number): number {
    if (this.#paused) return Infinity;
    let { scale } = this;
    let real = 0;
    if (this.#length > 0 && virtual > 0) {
      const left = (this.#length - this.#at) / SECOND;
      const last = this.#scale / ONE;
      const ramped = (left * (scale + last)) / 2;
      if (virtual <= ramped) {
        const square = scale * scale + (2 * virtual * (last - scale)) / left;
        return (2 * virtual) / (scale + Math.sqrt(Math.max(0, square)));
      }
      virtual -= ramped;
      real = left;
      scale = last;
    }
    return scale === 0 ? Infinity : real + virtual / scale;
  }

  /** Forgets what has happened: what was left over, and a ramp, which is taken as done. */
  reset(): void {
    this.#length = 0;
    this.#left.fill(0);
    this.#update();
  }
}
