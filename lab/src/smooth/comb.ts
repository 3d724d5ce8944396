import { Drawing } from "../canvas.js";
import { colour } from "../theme/colours.js";
import type { LaneRun } from "./run.js";

/** Pixels that the bar moves per refresh. */
const MOVE = 14;
/** Height in pixels of the ticks at the top, and of the gap below them. */
const TICK_HEIGHT = 8;
const GAP = 3;
/** Errors above this share of a refresh's move are red. */
const VISIBLE_ERROR = 0.05;
/** The judder of a refresh that repeats the previous picture. */
const REPEATED = -1;

/** What a comb shows: the lane's motion, up to a refresh. */
export interface Motion extends Pick<LaneRun, "judder" | "off"> {
  /** Numbers of the first refresh and of the current one. */
  readonly first: number;
  readonly now: number;
  /** Factor by which errors are magnified. */
  readonly magnify: number;
}

/**
 * A bar that sweeps from left to right and leaves a trace at each refresh with a new picture. The
 * ticks above show where perfectly even motion would leave its traces.
 */
export class Comb extends Drawing {
  #motion: Motion | undefined;

  constructor(label: string) {
    super("comb", label);
  }

  draw(motion: Motion | undefined): void {
    this.#motion = motion;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const count = Math.max(8, Math.floor(width / MOVE));
    const move = width / count;
    const tickX = (tick: number) => (tick + 0.5) * move;
    context.fillStyle = colour("muted");
    for (let tick = 0; tick < count; tick++) context.fillRect(tickX(tick) - 0.5, 0, 1, TICK_HEIGHT - 2);
    context.fillStyle = colour("line");
    context.fillRect(0, height - 1, width, 1);
    if (!this.#motion) return;

    const { first, off, judder, now, magnify } = this.#motion;
    const tickNow = now % count;
    const sweep = now - tickNow - first;
    const medianNow = medianOffset(off, sweep, count);
    const medianBefore = medianOffset(off, sweep - count, count);
    for (let tick = 0; tick < count; tick++) {
      // Left of the bar: this sweep. Right of it: the fading rest of the previous one.
      const isLast = tick > tickNow;
      const isNow = tick === tickNow;
      const index = sweep + tick - (isLast ? count : 0);
      if (off[index] === undefined || (judder[index] === REPEATED && !isNow)) continue;
      const error = off[index] - (isLast ? medianBefore : medianNow);
      const x = tickX(tick) + Math.max(-2, Math.min(2, magnify * error)) * move;
      let before = index - 1;
      while (judder[before] === REPEATED) before--;
      const isVisible = Math.abs(off[index] - (off[before] ?? off[index])) > VISIBLE_ERROR;
      context.fillStyle = colour(isVisible ? "bad" : "ball");
      context.globalAlpha = isLast ? 0.35 * Math.min(1, (tick - tickNow) / 12) : 1;
      const thick = isNow ? 7 : 3;
      const top = isNow ? 0 : TICK_HEIGHT + GAP;
      context.fillRect(x - thick / 2, top, thick, height - top);
    }
  }
}

/**
 * The median offset of the picture in a sweep; in an unfinished one, of as many refreshes before its end.
 * Subtracted, because a constant delay is still even motion.
 */
function medianOffset(off: readonly number[], start: number, count: number): number {
  const end = Math.min(off.length, start + count);
  const sweep = Float64Array.from(off.slice(Math.max(0, end - count), Math.max(0, end))).sort();
  return sweep[sweep.length >> 1] ?? 0;
}
