/** Notes that are kept: more than a figure can look back to. */
const NOTES = 4096;

/** One line of the score: when each of its notes was played. */
export class Voice {
  readonly rate: number;
  /** Notes of this piece so far. */
  count = 0;
  /** When its timer calls back next. */
  due = 0;
  #total = 0;
  readonly #times = new Float64Array(NOTES);
  readonly #numbers = new Float64Array(NOTES);

  constructor(rate: number) {
    this.rate = rate;
  }

  /** Begins a piece: its first note has number 0. */
  begin(): void {
    this.count = 0;
  }

  play(time: number): void {
    const slot = this.#total++ % NOTES;
    this.#times[slot] = time;
    this.#numbers[slot] = this.count++;
  }

  /** Calls back with each note after a time, up to another, the newest first. */
  each(after: number, until: number, call: (time: number, number: number) => void): void {
    for (let i = this.#total - 1; i >= Math.max(0, this.#total - NOTES); i--) {
      const time = this.#times[i % NOTES]!;
      if (time <= after) return;
      if (time <= until) call(time, this.#numbers[i % NOTES]!);
    }
  }
}
