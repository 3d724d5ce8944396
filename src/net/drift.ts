import { requireNumber, requireOptions, requireWhole } from "../errors/index.js";

/**
 * How well a client predicts what its server computes:
 *
 * - `"matched"`: no correction.
 * - `"jitter"`: corrections, but small or rare ones, which do not grow. Usual: nobody can predict the inputs of others.
 * - `"diverging"`: most corrections are above the tolerance, or they grow. The two do not compute the same.
 */
export type Drift = "matched" | "jitter" | "diverging";

/** Options of a `DriftMeter`. */
export interface DriftOptions {
  /** Corrections up to this distance are small. Default 0.05. */
  readonly tolerance?: number | undefined;
  /** The comparisons that count, the newest ones. Default 64. */
  readonly comparisons?: number | undefined;
}

const NAMES = Object.keys({ tolerance: 1, comparisons: 1 } satisfies Record<keyof DriftOptions, 1>);

/** Errors grow if the mean of the newer half is this many times that of the older half. */
const GROWTH = 2;
/** Fewer comparisons prove nothing. */
const MIN_COMPARISONS = 8;

/** Classifies the drift of a client from the sizes of its corrections. */
export class DriftMeter {
  readonly #tolerance: number;
  /** A ring. */
  readonly #errors: Float64Array;
  #count = 0;

  constructor(options: DriftOptions = {}) {
    requireOptions("DriftMeter", options, NAMES, "{ tolerance: 0.05 }");
    const { tolerance = 0.05, comparisons = 64 } = options;
    requireNumber("DriftMeter: tolerance", tolerance, 0, Infinity, 0.05);
    requireWhole("DriftMeter: comparisons", comparisons, MIN_COMPARISONS, 64);
    this.#tolerance = tolerance;
    this.#errors = new Float64Array(comparisons);
  }

  /** Records a comparison of a prediction with what the server computed: the distance between them, 0 if they are equal. */
  record(error: number): void {
    // An infinite error would outweigh all others in a sum.
    this.#errors[this.#count++ % this.#errors.length] = error >= 0 ? Math.min(error, 1e100) : 1e100;
  }

  /** Forgets all comparisons. */
  reset(): void {
    this.#count = 0;
    this.#errors.fill(0);
  }

  get drift(): Drift {
    const length = this.#errors.length;
    const count = Math.min(this.#count, length);
    const half = count >> 1;
    let [older, newer, olderLarge, newerLarge] = [0, 0, 0, 0];
    for (let i = 0; i < count; i++) {
      const error = this.#errors[(this.#count - count + i) % length]!;
      const isLarge = error > this.#tolerance ? 1 : 0;
      if (i < half) {
        older += error;
        olderLarge += isLarge;
      } else {
        newer += error;
        newerLarge += isLarge;
      }
    }
    if (older === 0 && newer === 0) return "matched";
    if (count < MIN_COMPARISONS) return "jitter";
    const isPersistent = olderLarge > half / 2 && newerLarge > (count - half) / 2;
    // Rare large errors do not count as growth: only if half of the newer ones are large.
    const isGrowing = older > 0 && newer > GROWTH * older && newerLarge >= (count - half) / 2;
    return isPersistent || isGrowing ? "diverging" : "jitter";
  }
}
