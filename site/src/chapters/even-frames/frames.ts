import { displayFrames, type DisplayFrame } from "../../../../scenes/display.js";

/** Milliseconds to which the clock of a page is rounded. */
const GRID = 0.1;
/** Milliseconds by which callbacks are late in these frames: half of them less, half of them more. */
const USUAL_DELAY = 0.9;
/** A minute at 60 Hz, which can be repeated. */
const COUNT = 3600;
const MINUTE = 60_000;

/** A minute of a display with exactly 60 Hz. */
let minute: readonly DisplayFrame[] | undefined;

/** Returns a minute that begins with a typical callback. A loop whose first callback is very late would be lucky: none is later. */
function makeMinute(): readonly DisplayFrame[] {
  const frames = displayFrames({ refresh: 60, seconds: 61, grid: GRID, seed: 1 });
  const errorOf = ({ now, vsync }: DisplayFrame) => Math.abs(now - vsync - USUAL_DELAY);
  let first = 0;
  for (let i = 1; i < 60; i++) if (errorOf(frames[i]!) < errorOf(frames[first]!)) first = i;
  return frames.slice(first, first + COUNT);
}

/** Returns a frame of a 60 Hz display, with the clock of a browser. `delay` says by how many milliseconds a typical callback is late. */
export function frameOf(index: number, delay: number): DisplayFrame {
  minute ??= makeMinute();
  const { stamp, now, vsync, refreshes } = minute[index % COUNT]!;
  const since = Math.floor(index / COUNT) * MINUTE;
  const late = vsync + ((now - vsync) * delay) / USUAL_DELAY;
  return {
    stamp: stamp + since,
    now: Math.floor(late / GRID + 1e-9) * GRID + since,
    vsync: vsync + since,
    refreshes,
  };
}
