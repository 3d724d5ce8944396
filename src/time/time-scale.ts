import { requireNumber } from "../errors/index.js";
import { mulDiv, remainder } from "./mul-div.js";
import type { Course, Ramp } from "./ramp.js";
import { billionths } from "./billionths.js";
import { ONE } from "./units.js";

/**
 * Turns real time into virtual time: pause, time scale (0 for a hit-stop), ramps between scales, and the pace that a session
 * asks for. Takes and returns whole nanoseconds; fractions are carried over to the next frame.
 */
export class TimeScale {
  paused = false;
  /** The scale in billionths; during a ramp, the one at its end. */
  private target = ONE;
  private course: Course | undefined = undefined;
  /** Billionths of a nanosecond that scaling carries over. */
  private over = 0;
  /** The pace in billionths, and what it carries over. */
  private paceBillionths = ONE;
  private paceOver = 0;

  /** Whether virtual time equals real time. */
  get plain(): boolean {
    return !this.paused && this.target === ONE && !this.course && this.paceBillionths === ONE;
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

  /** A factor near 1 on top of the scale. */
  get pace(): number {
    return this.paceBillionths / ONE;
  }
  setPace(subject: string, pace: number): void {
    requireNumber(subject, pace, 0.5, 2, 1);
    this.paceBillionths = Math.round(pace * ONE);
  }

  /** Advances by real time. Returns the virtual time. */
  advance(real: number): number {
    if (this.plain) return real;
    if (this.paused) return 0;
    const { course } = this;
    if (!course) return this.atScale(real);
    const { left } = course;
    const virtual = this.paced(course.advance(Math.min(real, left)));
    if (real < left) return virtual;
    this.course = undefined;
    return virtual + this.advance(real - left);
  }

  /** Returns the virtual time of real time at the current scale and pace, and carries the fractions over. */
  atScale(real: number): number {
    const virtual = mulDiv(real, this.current, ONE);
    const over = this.over + remainder[0]!;
    this.over = over % ONE;
    return this.paced(over < ONE ? virtual : virtual + 1);
  }

  /** Applies the pace to virtual time, and carries the fraction over. */
  private paced(virtual: number): number {
    if (this.paceBillionths === ONE) return virtual;
    const paced = mulDiv(virtual, this.paceBillionths, ONE);
    const over = this.paceOver + remainder[0]!;
    this.paceOver = over % ONE;
    return over < ONE ? paced : paced + 1;
  }

  /** The current scale, in billionths. */
  private get current(): number {
    return this.course ? this.course.scale : this.target;
  }

  /** Returns real time at the current scale and pace, rounded down. */
  scaled(real: number): number {
    return mulDiv(mulDiv(real, this.current, ONE), this.paceBillionths, ONE);
  }

  /** Returns the real seconds until `shown` virtual seconds have passed; negative for the past. */
  realSecondsFor(shown: number): number {
    const { scale, course, paused } = this;
    const virtual = shown / this.pace;
    if (course && virtual > 0 && !paused) return course.secondsFor(virtual);
    return paused || scale === 0 ? Infinity : virtual / scale;
  }

  /** Drops the fractions that are carried over, and ends a ramp at once. */
  reset(): void {
    this.course = undefined;
    this.over = this.paceOver = 0;
  }
}
