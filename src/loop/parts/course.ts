import { badValue } from "../../errors/index.js";

/** How a time scale changes along a ramp: evenly, or with a gentle start, end or both. */
export type Easing = "linear" | "easeIn" | "easeOut" | "easeInOut";

/** How much of a change is done after a part of the time, and the integral of that. */
const CURVES: { readonly [E in Easing]: readonly [at: (u: number) => number, sum: (u: number) => number] } = {
  linear: [(u) => u, (u) => (u * u) / 2],
  easeIn: [(u) => u * u, (u) => (u * u * u) / 3],
  easeOut: [(u) => u * (2 - u), (u) => u * u * (1 - u / 3)],
  easeInOut: [(u) => u * u * (3 - 2 * u), (u) => u * u * u * (1 - u / 2)],
};

/** A change of the time scale in progress. Times are in seconds. */
export interface Course {
  /** Real time until the end. */
  readonly left: number;
  /** The current scale, the one at the end, and the greatest. */
  readonly scale: number;
  readonly target: number;
  readonly max: number;
  /** Advances by real time, at most what is left. Returns the virtual time. */
  advance(real: number): number;
  /** Virtual time from now on, after `real` more seconds. */
  virtualFor(real: number): number;
}

/** Throws unless the value is an easing. */
export function requireEasing(subject: string, easing: Easing): void {
  // Not `in`, as "toString" is in every object.
  if (!Object.keys(CURVES).includes(easing))
    badValue(subject, '"linear", "easeIn", "easeOut" or "easeInOut"', easing, '"easeInOut"');
}

/** A change along a curve. */
export class EasedCourse implements Course {
  readonly max: number;
  #at = 0;

  constructor(
    private readonly from: number,
    readonly target: number,
    private readonly length: number,
    private readonly easing: Easing,
  ) {
    this.max = Math.max(from, target);
  }

  get left(): number {
    return this.length - this.#at;
  }

  get scale(): number {
    const [at] = CURVES[this.easing];
    return this.length === 0
      ? this.target
      : this.from + (this.target - this.from) * at(this.#at / this.length);
  }

  advance(real: number): number {
    const virtual = this.virtualFor(real);
    this.#at = Math.min(this.length, this.#at + real);
    return virtual;
  }

  virtualFor(real: number): number {
    return this.#integral(Math.min(this.length, this.#at + real)) - this.#integral(this.#at);
  }

  #integral(at: number): number {
    const [, sum] = CURVES[this.easing];
    if (at === 0) return 0;
    return this.from * at + (this.target - this.from) * this.length * sum(at / this.length);
  }
}

/** Several changes, one after the other. */
export class Sequence implements Course {
  readonly target: number;
  readonly max: number;
  #now = 0;

  constructor(private readonly parts: readonly Course[]) {
    this.target = parts.at(-1)!.target;
    this.max = Math.max(...parts.map(({ max }) => max));
    this.#skipEnded();
  }

  get left(): number {
    return this.parts.reduce((sum, { left }) => sum + left, 0);
  }

  get scale(): number {
    return this.parts[this.#now]!.scale;
  }

  advance(real: number): number {
    let virtual = 0;
    let time = real;
    while (time > 0 && this.left > 0) {
      const part = this.parts[this.#now]!;
      const taken = Math.min(time, part.left);
      virtual += part.advance(taken);
      time -= taken;
      this.#skipEnded();
    }
    return virtual;
  }

  virtualFor(real: number): number {
    let [virtual, time] = [0, real];
    for (const part of this.parts) {
      virtual += part.virtualFor(Math.min(time, part.left));
      time -= Math.min(time, part.left);
    }
    return virtual;
  }

  #skipEnded(): void {
    while (this.parts[this.#now]!.left <= 0 && this.#now < this.parts.length - 1) this.#now++;
  }
}
