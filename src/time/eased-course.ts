import type { Course } from "./course.js";
import type { EasingCurve } from "./easing.js";
import { ONE } from "./units.js";

/** Bisections after which a time is exact to a nanosecond. */
const BISECTIONS = 45;

/** A change along a curve. */
export class EasedCourse implements Course {
  readonly target: number;
  readonly #from: number;
  readonly #change: number;
  readonly #length: number;
  readonly #curve: EasingCurve;
  #at = 0;
  /** Virtual time so far. */
  #virtual = 0;

  constructor(from: number, to: number, length: number, curve: EasingCurve) {
    this.target = to;
    this.#from = from;
    this.#change = to - from;
    this.#length = length;
    this.#curve = curve;
  }

  get left(): number {
    return this.#length - this.#at;
  }

  get scale(): number {
    const part = this.#length === 0 ? 1 : this.#at / this.#length;
    return this.#from + Math.round(this.#change * this.#curve.at(part));
  }

  advance(real: number): number {
    const before = this.#virtual;
    this.#at += real;
    // Rounding errors must not turn time back.
    this.#virtual = Math.max(before, Math.round(this.#integral(this.#at)));
    return this.#virtual - before;
  }

  /** Virtual time since the start. */
  #integral(at: number): number {
    if (at === 0) return 0;
    return (this.#from * at + this.#change * this.#length * this.#curve.sum(at / this.#length)) / ONE;
  }

  get virtualLeft(): number {
    return this.#integral(this.#length) - this.#integral(this.#at);
  }

  realFor(virtual: number): number {
    const target = this.#integral(this.#at) + virtual;
    let [low, high] = [this.#at, this.#length];
    for (let i = 0; i < BISECTIONS; i++) {
      const middle = (low + high) / 2;
      if (this.#integral(middle) < target) low = middle;
      else high = middle;
    }
    return high - this.#at;
  }
}
