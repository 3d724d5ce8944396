import type { Course } from "./course.js";
import { mulDiv, remainder } from "./mul-div.js";
import { ONE } from "./units.js";

/** A change at an even pace. It is computed in whole numbers. */
export class EvenCourse implements Course {
  readonly target: number;
  readonly #from: number;
  readonly #change: number;
  readonly #length: number;
  #at = 0;

  constructor(from: number, to: number, length: number) {
    this.target = to;
    this.#from = from;
    this.#change = to - from;
    this.#length = length;
  }

  get left(): number {
    return this.#length - this.#at;
  }

  get scale(): number {
    if (this.#length === 0) return this.target;
    const climb = this.#climb(this.#at, this.#length);
    return this.#from + climb + (2 * remainder[0]! >= this.#length ? 1 : 0);
  }

  advance(real: number): number {
    const before = this.#integral(this.#at);
    this.#at += real;
    return this.#integral(this.#at) - before;
  }

  /** Virtual time since the start, rounded to nanoseconds. */
  #integral(at: number): number {
    if (at === 0) return 0;
    const mean = this.#from + this.#climb(at, 2 * this.#length);
    const rest = mulDiv(at, remainder[0]!, 2 * this.#length);
    return mulDiv(at, mean, ONE) + Math.floor((remainder[0]! + rest + ONE / 2) / ONE);
  }

  /** Returns change × at / length, rounded down for either sign; `remainder` has the rest. */
  #climb(at: number, length: number): number {
    const change = this.#change;
    if (change >= 0) return mulDiv(change, at, length);
    // From the end: change × at = -change × (length − at) + change × length.
    return change + mulDiv(-change, length - at, length);
  }

  get virtualLeft(): number {
    return (this.left * (this.scale + this.target)) / ONE / 2;
  }

  realFor(virtual: number): number {
    const scale = this.scale / ONE;
    const square = scale * scale + (2 * virtual * (this.target / ONE - scale)) / this.left;
    return (2 * virtual) / (scale + Math.sqrt(Math.max(0, square)));
  }
}
