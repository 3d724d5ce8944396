/**
 * Knows which states of a memory the world went through one after another: these are on one line. The world is state 0,
 * snapshot n is n + 1. Two states on one line with equally many cuts have the same cuts. States on different lines are
 * different futures, where equal counts prove nothing. Not part of the state: it only keeps blends fast.
 */
export class Lines {
  /** NaN, which equals nothing, where the line is unknown. */
  readonly #lines: Float64Array;
  #last = 0;

  constructor(states: number) {
    this.#lines = new Float64Array(states);
  }

  /** A snapshot of the world is on the world's line. */
  save(index: number): void {
    this.#lines[index] = this.#lines[0]!;
  }

  /** The world continues from elsewhere. */
  branch(): void {
    this.#lines[0] = ++this.#last;
  }

  /** The contents of a state did not come from the world. The world itself begins a new line. */
  lose(index: number): void {
    if (index === 0) this.branch();
    else this.#lines[index] = NaN;
  }

  areSame(a: number, b: number): boolean {
    return this.#lines[a] === this.#lines[b];
  }
}
