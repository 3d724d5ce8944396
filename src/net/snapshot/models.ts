// The contexts of all columns, and the probabilities that each packet starts with.
import {
  BOOLEAN,
  CHOICE,
  CHOICE_CONTEXTS,
  FLOAT64,
  FLOAT64_CONTEXTS,
  ID_RESIDUAL,
  QUAT,
  ROW_CONTEXTS,
} from "./kernel-memory.js";
import {
  BOOLEAN_LEVELS,
  DIGITS,
  LARGEST_LEVELS,
  LEVELS,
  RESIDUAL_CENTRES,
  RESIDUAL_LEVELS,
  ROW_LEVELS,
  TURN_CENTRES,
  TURN_LEVELS,
} from "./priors.js";

/** The expected lengths of residuals, for numbers and then for quaternions. */
export const CENTRE_BYTES = Uint8Array.from(RESIDUAL_CENTRES + TURN_CENTRES, (digit) =>
  DIGITS.indexOf(digit),
);

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
const RARE = 2000;
const times = (count: number, start: number): number[] => Array<number>(count).fill(start);
const starts = (levels: string): number[] => [...levels].map((digit) => LEVELS[DIGITS.indexOf(digit)]!);

function columnStarts(kind: number): number[] {
  if (kind === BOOLEAN) return starts(BOOLEAN_LEVELS);
  if (kind === CHOICE) return [RARE, ...times(CHOICE_CONTEXTS - 1, HALF)];
  if (kind === FLOAT64) return float64Starts();
  return kind === QUAT ? starts(LARGEST_LEVELS + TURN_LEVELS) : starts(RESIDUAL_LEVELS);
}

/** Ids seldom change, and then mostly as expected. */
function rowStarts(): number[] {
  return [...starts(ROW_LEVELS), 300, 300, ...times(ROW_CONTEXTS - ID_RESIDUAL, 8000)];
}

/** A double that rested mostly still does: its difference has 0 bits. */
function float64Starts(): number[] {
  const all = times(FLOAT64_CONTEXTS, HALF);
  for (let node = 1; node < 128; node *= 2) all[node] = RARE;
  return all;
}
