import { Drawing } from "../canvas.js";
import { colour } from "../theme/colours.js";
import type { LaneRun } from "./run.js";

/** Pixels that the picture moves in a refresh. */
const MOVE = 14;
/** Pixels at the top for the ticks, and below them. */
const TICKS = 8;
const GAP = 3;
/** From this part of a refresh's move on, what is off stands out. */
const FAR = 0.05;
/** The judder of a refresh that shows the picture before once more. */
const STILL = -1;

/** What a comb shows: the lane's way, up to a refresh. */
export interface Way extends Pick<LaneRun, "judder" | "off"> {
  /** The number of the first refresh, and that of the one shown now. */
  readonly first: number;
  readonly now: number;
  /** How many times as large as they are errors are drawn. */
  readonly magnify: number;
}

/**
 * A bar that moves evenly from left to right, again and again, and leaves a trace in each refresh that
 * shows a new picture. The ticks above are where an even motion leaves them.
 */
export class Comb extends Drawing {
  #way: Way | undefined;

  constructor(label: string) {
    super("comb", label);
  }

  draw(way: Way | undefined): void {
    this.#way = way;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const count = Math.max(8, Math.floor(width / MOVE));
    const move = width / count;
    const place = (tick: number) => (tick + 0.5) * move;
    context.fillStyle = colour("muted");
    for (let tick = 0; tick < count; tick++) context.fillRect(place(tick) - 0.5, 0, 1, TICKS - 2);
    context.fillStyle = colour("line");
    context.fillRect(0, height - 1, width, 1);
    if (!this.#way) return;

    const { first, off, judder, now, magnify } = this.#way;
    const tickNow = now % count;
    const sweep = now - tickNow - first;
    const usualNow = usual(off, sweep, count);
    const usualBefore = usual(off, sweep - count, count);
    for (let tick = 0; tick < count; tick++) {
      // Behind the bar, this sweep; before it, what is left of the last one.
      const isLast = tick > tickNow;
      const isNow = tick === tickNow;
      const index = sweep + tick - (isLast ? count : 0);
      if (off[index] === undefined || (judder[index] === STILL && !isNow)) continue;
      const away = off[index] - (isLast ? usualBefore : usualNow);
      const x = place(tick) + Math.max(-2, Math.min(2, magnify * away)) * move;
      let before = index - 1;
      while (judder[before] === STILL) before--;
      const isFar = Math.abs(off[index] - (off[before] ?? off[index])) > FAR;
      context.fillStyle = colour(isFar ? "bad" : "ball");
      context.globalAlpha = isLast ? 0.35 * Math.min(1, (tick - tickNow) / 12) : 1;
      const thick = isNow ? 7 : 3;
      const top = isNow ? 0 : TICKS + GAP;
      context.fillRect(x - thick / 2, top, thick, height - top);
    }
  }
}

/**
 * How far off the picture usually is in a sweep, or in as many refreshes before its end, if that is still to come:
 * what is always late by as much is even.
 */
function usual(off: readonly number[], start: number, count: number): number {
  const end = Math.min(off.length, start + count);
  const sweep = Float64Array.from(off.slice(Math.max(0, end - count), Math.max(0, end))).sort();
  return sweep[sweep.length >> 1] ?? 0;
}
