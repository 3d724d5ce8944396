import { make } from "./dom.js";
import { onTheme } from "./theme/colours.js";

/** A canvas that repaints when its size or the theme changes. */
export abstract class Canvas {
  readonly canvas: HTMLCanvasElement;
  readonly #sizes = new ResizeObserver(() => this.#resize());
  readonly #endTheme = onTheme(() => this.repaint());

  constructor(className: string, label: string) {
    this.canvas = make("canvas", className);
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.#sizes.observe(this.canvas);
  }

  abstract repaint(): void;

  dispose(): void {
    this.#sizes.disconnect();
    this.#endTheme();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(clientHeight * devicePixelRatio);
    this.repaint();
  }
}

/** A 2D canvas. */
export abstract class Drawing extends Canvas {
  /** Paints on a cleared canvas. Sizes are in CSS pixels. */
  protected abstract paint(context: CanvasRenderingContext2D, width: number, height: number): void;

  override repaint(): void {
    const context = this.canvas.getContext("2d");
    if (!context || this.canvas.width === 0) return;
    const ratio = devicePixelRatio;
    const width = this.canvas.width / ratio;
    const height = this.canvas.height / ratio;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.globalAlpha = 1;
    context.clearRect(0, 0, width, height);
    this.paint(context, width, height);
  }
}
