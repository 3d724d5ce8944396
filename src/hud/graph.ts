import { MEMORY, type FrameMemory } from "./frame-memory.js";

/** Width of the graph and of a frame's column, in CSS pixels. */
const WIDTH = 240;
const COLUMN = 2;
/** Top and bottom of the three lanes: frame time, steps, alpha. */
const TIME = [0, 20] as const;
const STEPS = [22, 34] as const;
const ALPHA = [36, 45] as const;
const HEIGHT = ALPHA[1];
/** Empty columns ahead of the newest frame. */
const GAP = 4;
/** Maximum frame time that its lane shows, in refreshes. */
const MAX_TIME = 2.5;
/** Maximum number of steps that their lane shows. */
const MAX_STEPS = 4;

export const COLOURS = {
  back: "#0b0f16",
  line: "#33404f",
  time: "#6cb6ff",
  steps: "#4fd1a5",
  alpha: "#cdaaff",
  bad: "#ff7b72",
};

/**
 * Draws one column per frame, from left to right, and then starts over. Only the newest column changes, so a frame
 * costs a handful of rectangles.
 */
export class Graph {
  readonly canvas = document.createElement("canvas");
  /** Expected duration of a frame, in seconds. */
  private period = 1 / 60;
  private ratio = 0;
  private columns = 0;
  private columnWidth = 0;
  private readonly context = this.canvas.getContext("2d", { alpha: false });

  constructor(private readonly memory: FrameMemory) {
    this.canvas.setAttribute("aria-hidden", "true");
  }

  /** Sets the pixel ratio of the screen and the expected duration of a frame. Returns whether to redraw. */
  fit(ratio: number, period: number): boolean {
    const isNew = Math.abs(period / this.period - 1) > 0.2;
    if (isNew) this.period = period;
    if (ratio === this.ratio) return isNew;
    const { canvas } = this;
    this.ratio = ratio;
    // Whole screen pixels, as columns would blur otherwise.
    this.columnWidth = Math.max(1, Math.round(COLUMN * ratio));
    this.columns = Math.min(MEMORY, Math.floor((WIDTH * ratio) / this.columnWidth));
    canvas.width = this.columns * this.columnWidth;
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
    const { memory, columnWidth, period } = this;
    const index = frame % MEMORY;
    const x = (frame % this.columns) * columnWidth;
    const time = memory.times[index]! / period;
    const steps = memory.steps[index]!;
    context.fillStyle = COLOURS.back;
    context.fillRect(x, 0, columnWidth * GAP, this.canvas.height);
    context.fillStyle = time > 1.5 ? COLOURS.bad : COLOURS.time;
    this.bar(context, x, TIME, 0, time / MAX_TIME);
    context.fillStyle = steps > MAX_STEPS ? COLOURS.bad : steps > 0 ? COLOURS.steps : COLOURS.line;
    this.bar(context, x, STEPS, 0, Math.max(0.1, steps / MAX_STEPS));
    context.fillStyle = COLOURS.alpha;
    const alpha = memory.alphas[index]! * 0.8;
    this.bar(context, x, ALPHA, alpha, alpha + 0.2);
  }

  /** Fills a part of a lane, from 0 at the bottom to 1 at the top. */
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
    context.fillRect(x, upper, this.columnWidth, lower - upper);
  }
}
