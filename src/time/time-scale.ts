import { requireNumber } from "../errors/index.js";
import { mulDiv, remainder } from "./mul-div.js";
import { billionths } from "./billionths.js";
import type { Course } from "./course.js";
import type { Ramp } from "./ramp.js";
import { ONE, SECOND } from "./units.js";

/**
 * Turns real time into virtual time: pause, hit-stop, time scale, ramps between scales, and the pace that a session asks for. Takes and returns whole nanoseconds; fractions are carried over to the next frame.
 */
export class TimeScale {
  paused = false;
  /** The scale in billionths; during a ramp, the one at its end. */
  private target = ONE;
  private course: Course | undefined = undefined;
  /** Real time until the end of a hit-stop. */
  stopped = 0;
  /** Billionths of a nanosecond that scaling carries over. */
  private over = 0;
  /** The pace in billionths, and what it carries over. */
  private paceBillionths = ONE;
  private paceOver = 0;

  /** Whether virtual time equals real time. */
  get plain(): boolean {
    const { paused, target, course, stopped, paceBillionths } = this;
    return !paused && target === ONE && !course && stopped === 0 && paceBillionths === ONE;
  }

  /** Virtual seconds per real second now, ignoring a pause and a hit-stop. */
  get scale(): number {
    return this.current / ONE;
  }

  /** Sets the scale, at once or along a ramp. */
  setScale(subject: string, scale: number | Ramp): void {
    const isRamp = typeof (scale as Partial<Ramp> | null)?.begin === "function";
    const course = isRamp ? (scale as Ramp).begin(this.current, this.target) : undefined;
    this.target = course ? course.target : billionths(subject, scale);
    this.course = course;
  }

  /** Stops time for some nanoseconds of real time, unless it is stopped for longer already. A ramp waits meanwhile. */
  stopFor(real: number): void {
    this.stopped = Math.max(this.stopped, real);
  }

  /** Whether a hit-stop goes on. */
  get isStopped(): boolean {
    return this.stopped > 0;
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
    const { course, stopped } = this;
    if (stopped > 0) {
      this.stopped = Math.max(0, stopped - real);
      return real > stopped ? this.advance(real - stopped) : 0;
    }
    if (!course) return this.atScale(real);
    const { left } = course;
    const virtual = this.paced(course.advance(Math.min(real, left)));
    if (real < left) return virtual;
    this.course = undefined;
    return virtual + this.advance(real - left);
  }

  /** Returns the virtual time of real time at the current scale and pace, and carries the fractions over. */
  atScale(real: number): number {
    if (this.stopped > 0) return 0;
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
    if (this.stopped > 0) return 0;
    return mulDiv(mulDiv(real, this.current, ONE), this.paceBillionths, ONE);
  }

  /** Returns the real seconds until `shown` virtual seconds have passed; negative for the past. */
  realSecondsFor(shown: number): number {
    const { course, paused, target } = this;
    let left = (shown * SECOND) / this.pace;
    if (paused) return Infinity;
    if (!(left > 0)) return this.scale === 0 ? Infinity : left / SECOND / this.scale;
    let real = this.stopped;
    if (course) {
      const { virtualLeft } = course;
      if (left <= virtualLeft) return (real + course.realFor(left)) / SECOND;
      real += course.left;
      left -= virtualLeft;
    }
    return (real + left / (target / ONE)) / SECOND;
  }

  /** Drops the fractions that are carried over, and ends a ramp and a hit-stop at once. */
  reset(): void {
    this.stopped = 0;
    this.course = undefined;
    this.over = this.paceOver = 0;
  }
}
