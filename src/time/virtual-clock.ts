import { mulDiv, remainder } from "./mul-div.js";
import { SECOND } from "./rate.js";
import { requireNumber } from "./refuse.js";

/** Time scales are held in whole billionths. */
const ONE = 1e9;

/** The most seconds of any setting, and the largest scale: together they keep scaled time below 2^53 ns. */
export const LONGEST_SETTING = 3600;
const LARGEST_SCALE = 1000;

/**
 * Turns real time into virtual time: a scale, a pause, and a linear ramp from one scale to another.
 * Whole nanoseconds in, whole nanoseconds out; what scaling leaves over is carried on.
 */
export class VirtualClock {
  paused = false;
  /** The scale in billionths; during a ramp, the one it leads to. */
  private target = ONE;
  /** Billionths of a nanosecond that scaling has left over. */
  private left = 0;
  /** The ramp: its first scale, its length, how far it has come; without one, both are 0. */
  private from = 0;
  private length = 0;
  private at = 0;

  /** Whether virtual time is just real time. */
  get plain(): boolean {
    return !this.paused && this.target === ONE && this.length === 0;
  }

  /** Virtual seconds a real second at this moment, were it not paused. */
  get scale(): number {
    return this.present / ONE;
  }

  /** Sets the scale, at once or along a ramp of so many seconds of clamped real time. */
  setScale(call: string, scale: number, seconds: number): void {
    requireNumber(`${call}: timeScale`, scale, 0, LARGEST_SCALE, "0.5, or pause()");
    requireNumber(`${call}: seconds`, seconds, 0, LONGEST_SETTING, 0.5);
    this.from = this.present;
    this.target = Math.round(scale * ONE);
    this.length = Math.round(seconds * SECOND);
    this.at = 0;
  }

  /** Hands on the virtual time of so much real time. */
  advance(real: number): number {
    if (this.plain) return real;
    if (this.paused) return 0;
    if (this.length === 0) return this.atScale(real);
    const to = this.at + real;
    const at = Math.min(to, this.length);
    const virtual = this.rampIntegral(at) - this.rampIntegral(this.at);
    this.at = at;
    if (at < this.length) return virtual;
    this.endRamp();
    return virtual + this.advance(to - at);
  }

  private endRamp(): void {
    this.length = this.at = 0;
  }

  /** The virtual time of real time at the present scale; what that leaves over is carried. */
  atScale(real: number): number {
    const virtual = mulDiv(real, this.present, ONE);
    const left = this.left + remainder[0]!;
    this.left = left % ONE;
    return left < ONE ? virtual : virtual + 1;
  }

  /** Virtual time since the ramp began, to the nearest nanosecond: frames of any length add up alike. */
  private rampIntegral(at: number): number {
    const mean = this.from + this.climb(at, 2 * this.length);
    const rest = mulDiv(at, remainder[0]!, 2 * this.length);
    return mulDiv(at, mean, ONE) + Math.floor((remainder[0]! + rest + ONE / 2) / ONE);
  }

  /** The ramp's whole change × at / length, rounded down for either sign; `remainder` has the rest. */
  private climb(at: number, length: number): number {
    const change = this.target - this.from;
    if (change >= 0) return mulDiv(change, at, length);
    // Down from the top: change × at = (change × at + -change × length) − -change × length.
    return change + mulDiv(-change, length - at, length);
  }

  /** The scale of this moment, in billionths, to the nearest. */
  private get present(): number {
    if (this.length === 0) return this.target;
    const climb = this.climb(this.at, this.length);
    return this.from + climb + (2 * remainder[0]! >= this.length ? 1 : 0);
  }

  /** The most virtual time that so much real time may hand on at the present scale. */
  most(real: number): number {
    return mulDiv(real, this.present, ONE);
  }

  /** Real seconds until so many virtual seconds have passed; negative for the past. */
  realSecondsFor(virtual: number): number {
    const { scale } = this;
    const last = this.target / ONE;
    const left = (this.length - this.at) / SECOND;
    const ramped = (left * (scale + last)) / 2;
    if (this.paused) return Infinity;
    if (virtual > ramped) return left + (virtual - ramped) / last;
    if (virtual <= 0) return scale === 0 ? Infinity : virtual / scale;
    const square = scale * scale + (2 * virtual * (last - scale)) / left;
    return (2 * virtual) / (scale + Math.sqrt(Math.max(0, square)));
  }

  /** Forgets what has happened: what was left over, and a ramp, which is taken as done. */
  reset(): void {
    this.endRamp();
    this.left = 0;
  }
}
