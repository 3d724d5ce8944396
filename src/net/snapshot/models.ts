// The contexts of all columns, and the probabilities that each packet starts with.
import {
  BOOLEAN,
  BOOLEAN_CONTEXTS,
  CHOICE,
  CHOICE_CONTEXTS,
  FLOAT64,
  FLOAT64_CONTEXTS,
  HIGH_BITS,
  LENGTHS,
  MOVES,
  NEW_ROW,
  QUAT,
  QUAT_CONTEXTS,
  RESIDUAL_CONTEXTS,
  ROW_CONTEXTS,
  SEENS,
  SIGN,
  UNKNOWN_MOVE,
} from "./kernel-memory.js";

/** Collects the contexts of a codec. */
export class Models {
  readonly #starts: number[] = [];
  readonly #shared = new Map<number, number>();

  /** Adds the contexts of a column and returns the first. Columns that share a model learn from each other. */
  column(kind: number, isShared: boolean): number {
    if (!isShared) return this.#add(columnStarts(kind));
    const known = this.#shared.get(kind);
    if (known !== undefined) return known;
    const first = this.#add(columnStarts(kind));
    this.#shared.set(kind, first);
    return first;
  }

  /** Adds the contexts of a section's rows. */
  rows(): number {
    return this.#add(rowStarts());
  }

  #add(starts: readonly number[]): number {
    const first = this.#starts.length;
    this.#starts.push(...starts);
    return first;
  }

  /** Returns the state of all contexts at the start of a packet: two 16-bit probabilities each. */
  starts(): Uint16Array {
    return Uint16Array.from(this.#starts.flatMap((start) => [start, start]));
  }
}

const HALF = 32768;
const times = (count: number, start: number): number[] => Array<number>(count).fill(start);

function columnStarts(kind: number): number[] {
  if (kind === BOOLEAN) return times(BOOLEAN_CONTEXTS, 4096);
  if (kind === CHOICE) return times(CHOICE_CONTEXTS, HALF);
  if (kind === FLOAT64) return times(FLOAT64_CONTEXTS, HALF);
  return kind === QUAT
    ? [2000, 4000, ...times(QUAT_CONTEXTS - 2, HALF), ...residualStarts()]
    : residualStarts();
}

function rowStarts(): number[] {
  return [...times(20, HALF), 300, 300, ...times(ROW_CONTEXTS - 22, 8000)];
}

function residualStarts(): number[] {
  const starts: number[] = [];
  for (let move = 0; move < MOVES; move++)
    for (let seen = 0; seen < SEENS; seen++)
      for (let length = 0; length < LENGTHS; length++) {
        const expected =
          move === NEW_ROW ? 8 : move === UNKNOWN_MOVE ? 3 : (move * 2) / 3 + (seen === 0 ? 0 : seen - 2) / 2;
        const at = length - expected;
        starts.push(Math.round(65536 / (1 + (at < 0 ? 1 / (1 + at * at) : 1 + at * at))));
      }
  return [...starts, ...times(HIGH_BITS - SIGN, HALF), ...times(RESIDUAL_CONTEXTS - HIGH_BITS, HALF)];
}
