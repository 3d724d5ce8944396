/** How many states called for which delay, in bins of the same width. */
export interface Histogram {
  readonly counts: readonly number[];
  /** Width of a bin, and where the last one ends, in milliseconds. The last bin has everything above, too. */
  readonly bin: number;
  readonly end: number;
}

/** Bins that fit a phone. */
const BINS = 40;
/** Where a histogram can end, in milliseconds. */
const ENDS = [10, 20, 40, 80, 160];

/** Counts sorted lags. The scale has room for the largest one and for the delay. */
export function histogramOf(lags: ArrayLike<number>, delay: number): Histogram {
  const largest = Math.max(delay, lags.length > 0 ? lags[lags.length - 1]! : 0);
  const end = ENDS.find((each) => each > 1.1 * largest) ?? ENDS.at(-1)!;
  const bin = end / BINS;
  const counts = Array.from({ length: BINS }, () => 0);
  for (let i = 0; i < lags.length; i++)
    counts[Math.max(0, Math.min(BINS - 1, Math.floor(lags[i]! / bin)))]!++;
  return { counts, bin, end };
}
