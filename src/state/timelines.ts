/**
 * Records which states of a buffer the world went through one after another: these are on one timeline. The world is state 0,
 * snapshot n is state n + 1. On one timeline, two states with the same total of skips have the same skips in every row, so a
 * blend need not compare rows. On different timelines the states are different futures, and equal totals prove nothing.
 * This is not part of the state. It only makes blends faster.
 */
export class Timelines {
  /** The timeline of each state. NaN, which equals nothing, if it is unknown. */
  readonly #timelines: Float64Array;
  #last = 0;

  constructor(states: number) {
    this.#timelines = new Float64Array(states);
  }

  /** Puts a snapshot of the world on the world's timeline. */
  save(index: number): void {
    this.#timelines[index] = this.#timelines[0]!;
  }

  /** Starts a new timeline for the world, which continues from another state. */
  branch(): void {
    this.#timelines[0] = ++this.#last;
  }

  /** Takes a state off its timeline, as its contents did not come from the world. */
  detach(index: number): void {
    if (index === 0) this.branch();
    else this.#timelines[index] = NaN;
  }

  /** The timeline of the world. */
  get current(): number {
    return this.#timelines[0]!;
  }

  /** The timeline of a state. */
  of(index: number): number {
    return this.#timelines[index]!;
  }

  /** Puts a state on a timeline of another thread. */
  put(index: number, timeline: number): void {
    this.#timelines[index] = timeline;
  }

  areSame(a: number, b: number): boolean {
    return this.#timelines[a] === this.#timelines[b];
  }
}
