import { NAMES } from "./groups.js";
import { Row } from "./row.js";

/** All that the engines were compared by, computed in this one, a little at a time. */
export class Comparison {
  readonly rows: readonly Row[];
  #at = 0;

  constructor(count: number) {
    this.rows = NAMES.map((name) => new Row(name, count));
  }

  /** How many rows are complete. */
  get done(): number {
    return this.#at;
  }

  get isDone(): boolean {
    return this.#at === this.rows.length;
  }

  /** Computes until it is told to stop, or all is done; says whether there was anything to do. */
  advance(isEnough: () => boolean): boolean {
    if (this.isDone) return false;
    do {
      const row = this.rows[this.#at]!;
      row.advance();
      if (row.isDone) this.#at++;
    } while (!this.isDone && !isEnough());
    return true;
  }
}
