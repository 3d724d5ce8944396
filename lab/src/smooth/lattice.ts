/** Longer gaps, in milliseconds, are stalls (the page was hidden or busy) and do not count as judder. */
export const STALL = 250;

/** The evenly spaced refreshes that fit the timestamps best. */
interface Lattice {
  /** Milliseconds between two refreshes. */
  readonly period: number;
  /** The refresh that each timestamp belongs to: 0 for the first, then strictly increasing. */
  readonly refreshes: readonly number[];
  /** Deviation of the timestamps from their refreshes, in milliseconds, root mean square. */
  readonly noise: number;
}

/** The refreshes at which frames were shown. */
interface Refreshes {
  /** Milliseconds between two refreshes. */
  readonly period: number;
  /** The time of each frame's refresh in milliseconds, and the number of refreshes since the previous frame. */
  readonly vsyncs: readonly number[];
  readonly counts: readonly number[];
  /** As in `Lattice`; NaN if no lattice fits and the timestamps themselves are used. */
  readonly noise: number;
}

/** Largest acceptable deviation from the best lattice, as a share of its period. */
const MAX_NOISE = 0.2;

/** Finds the refreshes from the timestamps of their frames. */
export function findRefreshes(stamps: readonly number[]): Refreshes {
  const { period, refreshes, noise } = fitLattice(stamps);
  const isEven = noise < MAX_NOISE * period;
  const counts = refreshes.map((number, index) => (index && isEven ? number - refreshes[index - 1]! : 1));
  let vsync = stamps[0]! - period;
  const vsyncs = stamps.map((stamp, index) => {
    // Two timestamps may be equal; two refreshes never are.
    vsync = isEven ? vsync + counts[index]! * period : Math.max(stamp, vsync + 1);
    return vsync;
  });
  return { period, vsyncs, counts, noise: isEven ? noise : NaN };
}

/** Spans, in frames, over which the period is measured: each gives an estimate good enough for the next. */
const REACHES = [1, 4, 16, 64, 256];
/** Share of a timestamp's error by which the lattice follows it, because the period is never known exactly. */
const FOLLOW = 1 / 32;

/** Fits evenly spaced refreshes to at least two timestamps, in milliseconds. */
export function fitLattice(stamps: readonly number[]): Lattice {
  let period = 0;
  for (const reach of REACHES) {
    const spans = stamps
      .slice(reach)
      .map((stamp, index) => stamp - stamps[index]!)
      .filter((span) => span > 0);
    if (spans.length === 0) break;
    const whole = (span: number) => Math.max(1, Math.round(span / period));
    // Medians, because a late timestamp or a stall affects only a few spans.
    period = median(period === 0 ? spans : spans.map((span) => span / whole(span)));
  }

  let origin = stamps[0]!;
  let squares = 0;
  const refreshes = stamps.map((stamp) => {
    const number = Math.round((stamp - origin) / period);
    const error = stamp - origin - number * period;
    origin += error * FOLLOW;
    squares += error * error;
    return number;
  });
  // Never two in one refresh: the earlier of the two was late for the refresh before.
  for (let i = refreshes.length - 2; i >= 0; i--)
    refreshes[i] = Math.min(refreshes[i]!, refreshes[i + 1]! - 1);
  const [zero = 0] = refreshes;
  const numbers = refreshes.map((number) => number - zero);
  const fitted = slope(numbers, stamps);
  // The fit is finer than a median, which is a multiple of the clock's resolution; but a clock that jumps back spoils it.
  if (Math.abs(fitted / period - 1) < 0.01) period = fitted;
  return { period, refreshes: numbers, noise: Math.sqrt(squares / stamps.length) };
}

/** The slope of the least-squares line. */
function slope(xs: readonly number[], ys: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x0, y0] = [mean(xs), mean(ys)];
  let [both, square] = [0, 0];
  xs.forEach((x, index) => {
    both += (x - x0) * (ys[index]! - y0);
    square += (x - x0) ** 2;
  });
  return both / square;
}

function median(values: readonly number[]): number {
  return Float64Array.from(values).sort()[values.length >> 1]!;
}
