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

/** The frames of a display, from its first refresh on. */
export function displayFrames(options: DisplayOptions): DisplayFrame[] {
  const { grid = 0, late = false, jitter = 0, drops = 0, changes = [], stalls = [], seed = 1 } = options;
  const random = noise(seed);
  const onGrid = (time: number) => (grid ? Math.floor(time / grid + 1e-9) * grid : time);
  // A page's clock began at some time, and not with the display.
  const start = 1000 + random() * 1000;
  const frames: DisplayFrame[] = [];
  let vsync = start;
  let refreshes = 1;
  /** Of a variable display: how far along its slow swing between least and most it is. */
  let swing = random();
  while (vsync - start <= options.seconds * 1000) {
    const seconds = (vsync - start) / 1000;
    const changed = changes.filter(([from]) => seconds >= from - 1e-9).at(-1)?.[1];
    const hertz = changed ?? options.refresh;
    let period: number;
    if (typeof hertz === "number") period = 1000 / hertz;
    else {
      swing += (random() - 0.5) * 0.2;
      swing = Math.min(1, Math.max(0, swing));
      period = 1000 / (hertz[0] + (hertz[1] - hertz[0]) * swing);
    }
    const isStalled = stalls.some(([from, length]) => seconds >= from && seconds < from + length);
    const isDropped = isStalled || (frames.length > 0 && random() < drops);
    const shake = (2 * random() - 1) * jitter;
    const delay = Math.min(lateness(random), 0.9 * period);
    if (isDropped) refreshes++;
    else {
      const now = onGrid(vsync + delay);
      frames.push({
        stamp: late ? onGrid(vsync + delay + shake) : onGrid(vsync + shake),
        now,
        vsync,
        refreshes,
      });
      refreshes = 1;
    }
    vsync += period;
  }
  return frames;
}
