import { NAMES } from "./groups.js";
import { Row } from "./row.js";

/** Computes everything that engines are compared by, one slice at a time. */
export class Comparison {
  readonly rows: readonly Row[];
  #at = 0;

  constructor(count: number) {
    this.rows = NAMES.map((name) => new Row(name, count));
  }

  /** Number of complete rows. */
  get done(): number {
    return this.#at;
  }

  get isDone(): boolean {
    return this.#at === this.rows.length;
  }

  /** Computes until `isEnough` returns true or everything is done. Returns false if there was nothing left to do. */
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
