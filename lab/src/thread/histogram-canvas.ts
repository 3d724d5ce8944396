import { Drawing } from "../canvas.js";
import { colour } from "../theme/colours.js";
import { histogramOf, type Histogram } from "./histogram.js";

/** Room for the scale below the bars, in pixels. */
const SCALE = 18;
const FONT = "12px system-ui, sans-serif";

/** Shows how late states were, and the delay that follows. */
export class HistogramCanvas extends Drawing {
  #histogram: Histogram = histogramOf([], 0);
  #delay = 0;

  constructor() {
    super("histogram", "A histogram of how long after it was due each of the last states was there");
  }

  draw(lags: ArrayLike<number>, delay: number): void {
    this.#histogram = histogramOf(lags, delay);
    this.#delay = delay;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const { counts, end } = this.#histogram;
    const bottom = height - SCALE;
    const most = Math.max(1, ...counts);
    const across = width / counts.length;
    context.fillStyle = colour("ball");
    counts.forEach((count, i) => {
      // Rare states are what the delay depends on: each of them is visible.
      const tall = count === 0 ? 0 : 2 + (bottom - 18) * Math.sqrt(count / most);
      context.fillRect(i * across + 0.5, bottom - tall, across - 1, tall);
    });
    context.fillStyle = colour("line");
    context.fillRect(0, bottom, width, 1);
    this.#paintDelay(context, (width * this.#delay) / end, width, bottom);
    this.#paintScale(context, width, height, end);
  }

  #paintDelay(context: CanvasRenderingContext2D, x: number, width: number, bottom: number): void {
    context.fillStyle = colour("ink");
    context.fillRect(Math.round(x) - 1, 0, 2, bottom);
    context.font = `600 ${FONT}`;
    context.textBaseline = "top";
    const isLeft = x > width / 2;
    context.textAlign = isLeft ? "right" : "left";
    context.fillText(`D = ${this.#delay.toFixed(1)} ms`, x + (isLeft ? -6 : 6), 1);
  }

  #paintScale(context: CanvasRenderingContext2D, width: number, height: number, end: number): void {
    context.fillStyle = colour("muted");
    context.font = FONT;
    context.textBaseline = "bottom";
    for (const [share, align] of [
      [0, "left"],
      [0.25, "center"],
      [0.5, "center"],
      [0.75, "center"],
      [1, "right"],
    ] as const) {
      context.textAlign = align;
      context.fillText(`${end * share} ms`, width * share, height);
    }
  }
}
