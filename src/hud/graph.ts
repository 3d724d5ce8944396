import { MEMORY, type FrameMemory } from "./frame-memory.js";

/** Its size, and that of a frame's column, in CSS pixels. */
const WIDTH = 240;
const COLUMN = 2;
/** Where its three lanes begin and end: frame time, steps, alpha. */
const TIME = [0, 20] as const;
const STEPS = [22, 34] as const;
const ALPHA = [36, 45] as const;
const HEIGHT = ALPHA[1];
/** Columns ahead of the newest frame that are left empty. */
const GAP = 4;
/** The most that a lane shows: refreshes, and steps. */
const MOST_TIME = 2.5;
const MOST_STEPS = 4;

export const COLOURS = {
  back: "#0b0f16",
  line: "#33404f",
  time: "#6cb6ff",
  steps: "#4fd1a5",
  alpha: "#cdaaff",
  bad: "#ff7b72",
};

/**
 * A column a frame, on a canvas that is written over from left to right, again and again: nothing
 * moves but the newest column, so that a frame costs a handful of rectangles.
 */
export class Graph {
  readonly canvas = document.createElement("canvas");
  /** Seconds that a frame should take. */
  private period = 1 / 60;
  private ratio = 0;
  private columns = 0;
  private wide = 0;
  private readonly context = this.canvas.getContext("2d", { alpha: false });

  constructor(private readonly memory: FrameMemory) {
    this.canvas.setAttribute("aria-hidden", "true");
  }

  /** Takes on the density of the screen, and the time that a frame should take; says whether it has changed. */
  fit(ratio: number, period: number): boolean {
    const isNew = Math.abs(period / this.period - 1) > 0.2;
    if (isNew) this.period = period;
    if (ratio === this.ratio) return isNew;
    const { canvas } = this;
    this.ratio = ratio;
    // Whole pixels of the screen, or columns would blur.
    this.wide = Math.max(1, Math.round(COLUMN * ratio));
    this.columns = Math.min(MEMORY, Math.floor((WIDTH * ratio) / this.wide));
    canvas.width = this.columns * this.wide;
    canvas.height = Math.round(HEIGHT * ratio);
    canvas.style.width = `${canvas.width / ratio}px`;
    canvas.style.height = `${canvas.height / ratio}px`;
    return true;
  }

  redraw(): void {
    const { canvas, context, memory, columns } = this;
    if (!context || columns === 0) return;
    context.fillStyle = COLOURS.back;
    context.fillRect(0, 0, canvas.width, canvas.height);
    for (let i = Math.max(0, memory.count - columns + GAP); i < memory.count; i++) this.draw(i, context);
  }

  /** Draws the newest frame. */
  drawLast(): void {
    if (this.context) this.draw(this.memory.count - 1, this.context);
  }

  private draw(frame: number, context: CanvasRenderingContext2D): void {
    const { memory, wide, period } = this;
    const place = frame % MEMORY;
    const x = (frame % this.columns) * wide;
    const time = memory.times[place]! / period;
    const steps = memory.steps[place]!;
    context.fillStyle = COLOURS.back;
    context.fillRect(x, 0, wide * GAP, this.canvas.height);
    context.fillStyle = time > 1.5 ? COLOURS.bad : COLOURS.time;
    this.bar(context, x, TIME, 0, time / MOST_TIME);
    context.fillStyle = steps > MOST_STEPS ? COLOURS.bad : steps > 0 ? COLOURS.steps : COLOURS.line;
    this.bar(context, x, STEPS, 0, Math.max(0.1, steps / MOST_STEPS));
    context.fillStyle = COLOURS.alpha;
    const alpha = memory.alphas[place]! * 0.8;
    this.bar(context, x, ALPHA, alpha, alpha + 0.2);
  }

  /** Fills a part of a lane, where its lower end is 0 and its upper one 1. */
  private bar(
    context: CanvasRenderingContext2D,
    x: number,
    [top, bottom]: readonly [number, number],
    from: number,
    to: number,
  ): void {
    const { ratio } = this;
    const upper = Math.round((bottom - (bottom - top) * Math.min(1, to)) * ratio);
    const lower = Math.round((bottom - (bottom - top) * from) * ratio);
    context.fillRect(x, upper, this.wide, lower - upper);
  }
}
