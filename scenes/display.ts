/**
 * A display, seeded: when it refreshes, and what a page would be told of it. What it is told is the
 * truth on a grid, late or shaken; what is seen is decided by the refreshes themselves.
 */

export interface DisplayOptions {
  /** Refreshes a second; of a variable one, the least and the most. */
  readonly refresh: number | readonly [number, number];
  readonly seconds: number;
  /** Milliseconds that the clock is rounded down to; 0 for an exact one. */
  readonly grid?: number;
  /** Whether a frame is stamped when its callback runs, instead of with its refresh. */
  readonly late?: boolean;
  /** Milliseconds by which a stamp may err either way. */
  readonly jitter?: number;
  /** Part of the frames that are not made in time, so that the picture before stays. */
  readonly drops?: number;
  /** Changes of the refresh rate: from so many seconds on, so many hertz. */
  readonly changes?: readonly (readonly [seconds: number, hertz: number])[];
  /** Times without a frame: from so many seconds on, for so many seconds. */
  readonly stalls?: readonly (readonly [from: number, seconds: number])[];
  /** Spells of load, in which only every second, third or further refresh has a frame. */
  readonly spells?: readonly (readonly [from: number, seconds: number, every: number])[];
  readonly seed?: number;
}

/** A frame of a display. Times are in milliseconds. */
export interface DisplayFrame {
  /** What the page is told. */
  readonly stamp: number;
  /** What `performance.now()` says when its callback runs. */
  readonly now: number;
  /** The refresh that it belongs to, which no page is told. */
  readonly vsync: number;
  /** How many refreshes after the last frame's that is. */
  readonly refreshes: number;
}

/** Numbers from 0 to 1 that depend on the seed alone. */
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

/** How late callbacks run, measured in Chromium: from 0.4 ms, half of them within 1 ms, one in twenty beyond 3 ms. */
function lateness(random: () => number): number {
  const gauss = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return 0.4 + 0.5 * Math.exp(0.85 * gauss);
}

/** Returns a function that makes the timestamps of a refresh, by a clock such as a browser's. */
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

/** Frames of independent random lengths, in milliseconds, as without vsync. Each is one refresh. */
export function randomFrames(
  length: (random: () => number) => number,
  count: number,
  clock: Pick<DisplayOptions, "grid" | "late" | "jitter"> = {},
  seed = 1,
): DisplayFrame[] {
  const random = noise(seed);
  const told = stamper(clock, random);
  let vsync = 1000;
  return Array.from({ length: count }, () => {
    const elapsed = length(random);
    vsync += elapsed;
    const { stamp, now } = told(vsync, elapsed);
    return { stamp, now, vsync, refreshes: 1 };
  });
}

/** The frames of a display, from its first refresh on. */
export function displayFrames(options: DisplayOptions): DisplayFrame[] {
  const { drops = 0, changes = [], stalls = [], spells = [], seed = 1 } = options;
  const random = noise(seed);
  const told = stamper(options, random);
  // A page's clock began at some time, and not with the display.
  const start = 1000 + random() * 1000;
  const frames: DisplayFrame[] = [];
  let vsync = start;
  let refreshes = 1;
  /** Of a variable display: how far along its slow swing between least and most it is. */
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
    const { stamp, now } = told(vsync, period);
    if (isDropped) refreshes++;
    else {
      frames.push({ stamp, now, vsync, refreshes });
      refreshes = 1;
    }
    vsync += period;
  }
  return frames;
}
