import { mulDiv, remainder } from "./mul-div.js";
import type { Course, Ramp } from "./ramp.js";
import { billionths } from "./billionths.js";
import { ONE } from "./units.js";

/**
 * Turns real time into virtual time: a scale, a pause, and a ramp from one scale to another.
 * Whole nanoseconds in, whole nanoseconds out; what scaling leaves over is carried on.
 */
export class TimeScale {
  paused = false;
  /** The scale in billionths; during a ramp, the one it leads to. */
  private target = ONE;
  private course: Course | undefined = undefined;
  /** Billionths of a nanosecond that scaling has left over. */
  private over = 0;

  /** Whether virtual time is just real time. */
  get plain(): boolean {
    return !this.paused && this.target === ONE && !this.course;
  }

  /** Virtual seconds a real second at this moment, were it not paused. */
  get scale(): number {
    return this.present / ONE;
  }

  /** Sets the scale, at once or along a ramp. */
  setScale(subject: string, scale: number | Ramp): void {
    const isRamp = typeof (scale as Partial<Ramp> | null)?.begin === "function";
    const ramp = isRamp ? (scale as Ramp) : undefined;
    const target = ramp ? ramp.target : billionths(subject, scale);
    this.course = ramp?.begin(this.present);
    this.target = target;
  }

  /** Hands on the virtual time of so much real time. */
  advance(real: number): number {
    if (this.plain) return real;
    if (this.paused) return 0;
    const { course } = this;
    if (!course) return this.atScale(real);
    const { left } = course;
    const virtual = course.advance(Math.min(real, left));
    if (real < left) return virtual;
    this.course = undefined;
    return virtual + this.advance(real - left);
  }

  /** The virtual time of real time at the present scale; what that leaves over is carried. */
  atScale(real: number): number {
    const virtual = this.scaled(real);
    const over = this.over + remainder[0]!;
    this.over = over % ONE;
    return over < ONE ? virtual : virtual + 1;
  }

  /** The scale of this moment, in billionths. */
  private get present(): number {
    return this.course ? this.course.scale : this.target;
  }

  /** So much real time at the present scale, rounded down; `remainder` has the rest. */
  scaled(real: number): number {
    return mulDiv(real, this.present, ONE);
  }

  /** Real seconds until so many virtual seconds have passed; negative for the past. */
  realSecondsFor(virtual: number): number {
    const { scale, course, paused } = this;
    if (course && virtual > 0 && !paused) return course.secondsFor(virtual);
    return paused || scale === 0 ? Infinity : virtual / scale;
  }

  /** Forgets what has happened: what was left over, and a ramp, which is taken as done. */
  reset(): void {
    this.course = undefined;
    this.over = 0;
  }
}
