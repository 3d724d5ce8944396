/** The even refreshes that stamps fit best. */
interface Lattice {
  /** Milliseconds between two refreshes. */
  readonly period: number;
  /** The refresh that each stamp belongs to: 0 for the first, and each later than the one before. */
  readonly refreshes: readonly number[];
  /** How far stamps are off their refreshes, in milliseconds, root mean square. */
  readonly noise: number;
}

/** When the refreshes of some frames were. */
interface Refreshes {
  /** Milliseconds between two, as a rule. */
  readonly period: number;
  /** The refresh of each frame, in milliseconds, and how many after the last frame's it was. */
  readonly vsyncs: readonly number[];
  readonly counts: readonly number[];
  /** How far stamps are off them, in milliseconds, root mean square; NaN if no lattice fits, and stamps are the truth. */
  readonly noise: number;
}

/** Part of a period by which stamps may be off the lattice that fits them best; beyond, there is none. */
const LOOSE = 0.2;

/** Finds when the refreshes were, from the stamps of their frames. */
export function findRefreshes(stamps: readonly number[]): Refreshes {
  const { period, refreshes, noise } = fitLattice(stamps);
  const isEven = noise < LOOSE * period;
  const counts = refreshes.map((number, index) => (index && isEven ? number - refreshes[index - 1]! : 1));
  let vsync = stamps[0]! - period;
  const vsyncs = stamps.map((stamp, index) => {
    // Stamps may stand still for a frame; refreshes do not.
    vsync = isEven ? vsync + counts[index]! * period : Math.max(stamp, vsync + 1);
    return vsync;
  });
  return { period, vsyncs, counts, noise: isEven ? noise : NaN };
}

/** Over so many frames the period is measured, one after the other: each is known well enough for the next. */
const REACHES = [1, 4, 16, 64, 256];
/** Part of what a stamp is off that moves the lattice: a period is never quite known. */
const FOLLOW = 1 / 32;

/** Finds the refreshes of a display in the stamps of its frames, in milliseconds. At least two, and later ones later. */
export function fitLattice(stamps: readonly number[]): Lattice {
  let period = 0;
  for (const reach of REACHES) {
    const spans = stamps
      .slice(reach)
      .map((stamp, index) => stamp - stamps[index]!)
      .filter((span) => span > 0);
    if (spans.length === 0) break;
    const whole = (span: number) => Math.max(1, Math.round(span / period));
    // Medians, as a late stamp or a stall spoils but a few.
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
  // No two in one refresh: of those, the earlier stamp was late for the refresh before.
  for (let i = refreshes.length - 2; i >= 0; i--)
    refreshes[i] = Math.min(refreshes[i]!, refreshes[i + 1]! - 1);
  const [zero = 0] = refreshes;
  const numbers = refreshes.map((number) => number - zero);
  const fine = slope(numbers, stamps);
  // Medians stand for steps of the clock; where a clock leaps back, they alone make sense.
  if (Math.abs(fine / period - 1) < 0.01) period = fine;
  return { period, refreshes: numbers, noise: Math.sqrt(squares / stamps.length) };
}

/** Of the straight line that fits the points best, by least squares. */
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
