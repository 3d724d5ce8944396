/**
 * Knows which states of a memory the world went through one after another: these are on one line. The world is state 0,
 * snapshot n is n + 1. Two states on one line with equally many cuts have the same cuts. States on different timelines are
 * different futures, where equal counts prove nothing. Not part of the state: it only keeps blends fast.
 */
export class Timelines {
  /** NaN, which equals nothing, where the line is unknown. */
  readonly #timelines: Float64Array;
  #last = 0;

  constructor(states: number) {
    this.#timelines = new Float64Array(states);
  }

  /** A snapshot of the world is on the world's line. */
  save(index: number): void {
    this.#timelines[index] = this.#timelines[0]!;
  }

  /** The world continues from elsewhere. */
  branch(): void {
    this.#timelines[0] = ++this.#last;
  }

  /** The contents of a state did not come from the world. The world itself begins a new line. */
  detach(index: number): void {
    if (index === 0) this.branch();
    else this.#timelines[index] = NaN;
  }

  areSame(a: number, b: number): boolean {
    return this.#timelines[a] === this.#timelines[b];
  }
}
