import { mulDiv, remainder } from "./mul-div.js";
import { requireArguments, requireNumber } from "../errors/index.js";
import { billionths } from "./billionths.js";
import { MAX_SETTING, ONE, SECOND } from "./units.js";

/** A time scale that is reached evenly over some real time. Create one with `ramp`. */
export interface Ramp {
  /** The scale at the end, in billionths. */
  readonly target: number;
  /** Starts the ramp at a scale, in billionths. */
  begin(from: number): Course;
}

/** Changes `timeScale` evenly to `scale` over `seconds` of real time: `loop.timeScale = ramp(0.2, 0.5)`. */
export function ramp(scale: number, seconds: number): Ramp {
  requireArguments("ramp", arguments.length, 2);
  const target = billionths("ramp: scale", scale);
  requireNumber("ramp: seconds", seconds, 0, MAX_SETTING, 0.5);
  const length = Math.round(seconds * SECOND);
  return { target, begin: (from) => new Course(from, target, length) };
}

/** A ramp in progress, from one scale to another. Times are in nanoseconds. */
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

  /** Real time until the end. */
  get left(): number {
    return this.#length - this.#at;
  }

  /** The current scale, rounded to billionths. */
  get scale(): number {
    if (this.#length === 0) return this.#from + this.#change;
    const climb = this.#climb(this.#at, this.#length);
    return this.#from + climb + (2 * remainder[0]! >= this.#length ? 1 : 0);
  }

  /** Advances by real time, at most what is left. Returns the virtual time. */
  advance(real: number): number {
    const before = this.#integral(this.#at);
    this.#at += real;
    return this.#integral(this.#at) - before;
  }

  /** Virtual time since the start, rounded to nanoseconds: it does not depend on the lengths of frames. */
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

  /** Returns the real seconds until `virtual` seconds have passed, during the ramp or after it. */
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
