import { mulDiv, remainder } from "./mul-div.js";
import { requireNumber } from "../errors/index.js";
import { billionths } from "./billionths.js";
import { MAX_SETTING, ONE, SECOND } from "./units.js";

/** A time scale to be reached evenly, over some real time. */
export interface Ramp {
  /** The scale that it leads to, in billionths. */
  readonly target: number;
  /** Begins it, at a scale in billionths. */
  begin(from: number): Course;
}

/** Leads `timeScale` evenly to a scale over so many real seconds: into bullet time, and back. */
export function ramp(scale: number, seconds: number): Ramp {
  const target = billionths("ramp: scale", scale);
  requireNumber("ramp: seconds", seconds, 0, MAX_SETTING, 0.5);
  const length = Math.round(seconds * SECOND);
  return { target, begin: (from) => new Course(from, target, length) };
}

/** An even way from one scale to another, in nanoseconds of real time. */
export class Course {
  readonly #from: number;
  readonly #change: number;
  readonly #length: number;
  #at = 0;

  constructor(from: number, to: number, length: number) {
    this.#from = from;
    this.#change = to - from;
    this.#length = length;
  }

  /** The real time that is left of it. */
  get left(): number {
    return this.#length - this.#at;
  }

  /** The scale of this moment, in billionths, to the nearest. */
  get scale(): number {
    if (this.#length === 0) return this.#from + this.#change;
    const climb = this.#climb(this.#at, this.#length);
    return this.#from + climb + (2 * remainder[0]! >= this.#length ? 1 : 0);
  }

  /** Hands on the virtual time of so much real time, at most what is left. */
  advance(real: number): number {
    const before = this.#integral(this.#at);
    this.#at += real;
    return this.#integral(this.#at) - before;
  }

  /** Virtual time since it began, to the nearest nanosecond: frames of any length add up alike. */
  #integral(at: number): number {
    if (at === 0) return 0;
    const mean = this.#from + this.#climb(at, 2 * this.#length);
    const rest = mulDiv(at, remainder[0]!, 2 * this.#length);
    return mulDiv(at, mean, ONE) + Math.floor((remainder[0]! + rest + ONE / 2) / ONE);
  }

  /** The whole change × at / length, rounded down for either sign; `remainder` has the rest. */
  #climb(at: number, length: number): number {
    const change = this.#change;
    if (change >= 0) return mulDiv(change, at, length);
    // Down from the top: change × at = (change × at + -change × length) − -change × length.
    return change + mulDiv(-change, length - at, length);
  }

  /** Real seconds until so many virtual seconds have passed, on the way or at the scale that it leads to. */
  secondsFor(virtual: number): number {
    const scale = this.scale / ONE;
    const last = (this.#from + this.#change) / ONE;
    const left = this.left / SECOND;
    const ramped = (left * (scale + last)) / 2;
    if (virtual > ramped) return left + (virtual - ramped) / last;
    const square = scale * scale + (2 * virtual * (last - scale)) / left;
    return (2 * virtual) / (scale + Math.sqrt(Math.max(0, square)));
  }
}
