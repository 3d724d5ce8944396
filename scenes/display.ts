// A simulated display, with a seed: its refreshes, and the timestamps that a page gets. Timestamps are rounded, late or jittered;
// what is visible depends on the refreshes themselves.

export interface DisplayOptions {
  /** Refreshes per second; for a variable refresh rate, minimum and maximum. */
  readonly refresh: number | readonly [number, number];
  readonly seconds: number;
  /** Milliseconds to which the clock is rounded down; 0 for an exact clock. */
  readonly grid?: number;
  /** Whether a frame is stamped when its callback runs, instead of with its refresh. */
  readonly late?: boolean;
  /** Maximum random error of a timestamp in both directions, in milliseconds. */
  readonly jitter?: number;
  /** Fraction of frames that miss their refresh, so that the previous picture stays. */
  readonly drops?: number;
  /** Changes of the refresh rate: the time in seconds, and the new rate in hertz. */
  readonly changes?: readonly (readonly [seconds: number, hertz: number])[];
  /** Times without frames: start and duration in seconds. */
  readonly stalls?: readonly (readonly [from: number, seconds: number])[];
  /** Periods of load, in which only every n-th refresh has a frame. */
  readonly spells?: readonly (readonly [from: number, seconds: number, every: number])[];
  readonly seed?: number;
}

/** A frame of a display. Times are in milliseconds. */
export interface DisplayFrame {
  /** The timestamp that the page gets. */
  readonly stamp: number;
  /** `performance.now()` when the callback runs. */
  readonly now: number;
  /** The true time of the refresh, which pages cannot know. */
  readonly vsync: number;
  /** Refreshes since the last frame. */
  readonly refreshes: number;
}

/** Returns a generator of numbers from 0 to 1 that depend only on the seed. */
export function noise(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // Mulberry32, by Tommy Ettinger.
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns how late a callback runs, as measured in Chromium: at least 0.4 ms, half of them within 1 ms, 5 % after 3 ms. */
function lateness(random: () => number): number {
  const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 0.4 + 0.5 * Math.exp(0.85 * gauss);
}

/** Returns a function that makes the timestamps of a refresh, with the clock of a browser. */
function stamper(
  { grid = 0, late = false, jitter = 0 }: Pick<DisplayOptions, "grid" | "late" | "jitter">,
  random: () => number,
) {
  const onGrid = (time: number) => (grid ? Math.floor(time / grid + 1e-9) * grid : time);
  return (vsync: number, period: number) => {
    const shake = (2 * random() - 1) * jitter;
    const delay = Math.min(lateness(random), 0.9 * period);
    return { stamp: onGrid(vsync + shake + (late ? delay : 0)), now: onGrid(vsync + delay) };
  };
}

/** Returns frames of independent random lengths, in milliseconds, as without vsync. Each is one refresh. */
export function randomFrames(
  length: (random: () => number) => number,
  count: number,
  clock: Pick<DisplayOptions, "grid" | "late" | "jitter"> = {},
  seed = 1,
): DisplayFrame[] {
  const random = noise(seed);
  const stampsOf = stamper(clock, random);
  let vsync = 1000;
  return Array.from({ length: count }, () => {
    const elapsed = length(random);
    vsync += elapsed;
    const { stamp, now } = stampsOf(vsync, elapsed);
    return { stamp, now, vsync, refreshes: 1 };
  });
}

/** Returns the frames of a display, from its first refresh on. */
export function displayFrames(options: DisplayOptions): DisplayFrame[] {
  const { drops = 0, changes = [], stalls = [], spells = [], seed = 1 } = options;
  const random = noise(seed);
  const stampsOf = stamper(options, random);
  // The page's clock does not start with the display.
  const start = 1000 + random() * 1000;
  const frames: DisplayFrame[] = [];
  let vsync = start;
  let refreshes = 1;
  /** For a variable refresh rate: the position between minimum and maximum. */
  let swing = random();
  let seconds = 0;
  const isIn = ([from, length]: readonly [number, number, number?]) =>
    seconds >= from && seconds < from + length;
  for (; vsync - start <= options.seconds * 1000; seconds = (vsync - start) / 1000) {
    const changed = changes.filter(([from]) => seconds >= from - 1e-9).at(-1)?.[1];
    const hertz = changed ?? options.refresh;
    let period: number;
    if (typeof hertz === "number") period = 1000 / hertz;
    else {
      swing += (random() - 0.5) * 0.2;
      swing = Math.min(1, Math.max(0, swing));
      period = 1000 / (hertz[0] + (hertz[1] - hertz[0]) * swing);
    }
    const every = spells.find(isIn)?.[2] ?? 1;
    const isDropped = stalls.some(isIn) || (frames.length > 0 && (random() < drops || refreshes < every));
    const { stamp, now } = stampsOf(vsync, period);
    if (isDropped) refreshes++;
    else {
      frames.push({ stamp, now, vsync, refreshes });
      refreshes = 1;
    }
    vsync += period;
  }
  return frames;
}
