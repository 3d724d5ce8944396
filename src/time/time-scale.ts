import { mulDiv, remainder } from "./mul-div.js";
import type { Course, Ramp } from "./ramp.js";
import { billionths } from "./billionths.js";
import { ONE } from "./units.js";

/**
 * Turns real time into virtual time: pause, time scale (0 for a hit-stop), and ramps between scales. Takes and returns whole
 * nanoseconds; fractions are carried over to the next frame.
 */
export class TimeScale {
  paused = false;
  /** The scale in billionths; during a ramp, the one at its end. */
  private target = ONE;
  private course: Course | undefined = undefined;
  /** Billionths of a nanosecond that are carried over. */
  private over = 0;

  /** Whether virtual time equals real time. */
  get plain(): boolean {
    return !this.paused && this.target === ONE && !this.course;
  }

  /** Virtual seconds per real second now, ignoring a pause. */
  get scale(): number {
    return this.current / ONE;
  }

  /** Sets the scale, at once or along a ramp. */
  setScale(subject: string, scale: number | Ramp): void {
    const isRamp = typeof (scale as Partial<Ramp> | null)?.begin === "function";
    const ramp = isRamp ? (scale as Ramp) : undefined;
    const target = ramp ? ramp.target : billionths(subject, scale);
    this.course = ramp?.begin(this.current);
    this.target = target;
  }

  /** Advances by real time. Returns the virtual time. */
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

  /** Returns the virtual time of real time at the current scale, and carries the fraction over. */
  atScale(real: number): number {
    const virtual = this.scaled(real);
    const over = this.over + remainder[0]!;
    this.over = over % ONE;
    return over < ONE ? virtual : virtual + 1;
  }

  /** The current scale, in billionths. */
  private get current(): number {
    return this.course ? this.course.scale : this.target;
  }

  /** Returns real time at the current scale, rounded down; `remainder` has the rest. */
  scaled(real: number): number {
    return mulDiv(real, this.current, ONE);
  }

  /** Returns the real seconds until `virtual` seconds have passed; negative for the past. */
  realSecondsFor(virtual: number): number {
    const { scale, course, paused } = this;
    if (course && virtual > 0 && !paused) return course.secondsFor(virtual);
    return paused || scale === 0 ? Infinity : virtual / scale;
  }

  /** Drops the fraction that is carried over, and ends a ramp at once. */
  reset(): void {
    this.course = undefined;
    this.over = 0;
  }
}
