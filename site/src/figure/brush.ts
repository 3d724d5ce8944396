import { variable } from "../../../lab/src/theme/colours.js";

/** The colours of figures. Each has one meaning: see tokens.css. */
export type Colour =
  | ("page" | "surface" | "ink" | "muted" | "line")
  | ("simulated" | "truth" | "wrong" | "correction" | "verdict");

/** Draws in CSS pixels, in the colours of the theme. A radius below 0 is 0: tiny pictures have no room for what they are of. */
export class Brush {
  width = 1;
  height = 1;
  readonly context: CanvasRenderingContext2D;

  constructor(context: CanvasRenderingContext2D) {
    this.context = context;
  }

  colour(name: Colour): string {
    return variable(name);
  }

  /** Gives the canvas as many pixels as it has room for. */
  fit(): void {
    const { canvas } = this.context;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    // Setting a size clears the canvas, even if it is the same one.
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
  }

  /** Clears the canvas and begins a picture. */
  begin(): void {
    const { canvas } = this.context;
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    this.width = canvas.width / ratio;
    this.height = canvas.height / ratio;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.globalAlpha = 1;
    this.context.clearRect(0, 0, this.width, this.height);
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, width = 2): void {
    const { context } = this;
    context.beginPath();
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
    context.strokeStyle = this.colour(colour);
    context.lineWidth = width;
    context.lineCap = "round";
    context.stroke();
  }

  disc(x: number, y: number, radius: number, colour: Colour, alpha = 1): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
    context.fillStyle = this.colour(colour);
    context.fill();
    context.globalAlpha = 1;
  }

  ring(x: number, y: number, radius: number, colour: Colour, width = 2, alpha = 1): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.arc(x, y, Math.max(0, radius), 0, 2 * Math.PI);
    context.strokeStyle = this.colour(colour);
    context.lineWidth = width;
    context.stroke();
    context.globalAlpha = 1;
  }

  box(x: number, y: number, width: number, height: number, colour: Colour, radius = 0, alpha = 1): void {
    const { context } = this;
    context.globalAlpha = alpha;
    context.beginPath();
    context.roundRect(x, y, width, height, Math.max(0, radius));
    context.fillStyle = this.colour(colour);
    context.fill();
    context.globalAlpha = 1;
  }

  /** Writes a text. `align` is where x is in it. */
  text(
    text: string,
    x: number,
    y: number,
    colour: Colour = "ink",
    { size = 14, align = "left" as CanvasTextAlign, weight = 500 } = {},
  ): void {
    const { context } = this;
    context.font = `${weight} ${size}px Inter Variable, system-ui, sans-serif`;
    context.textAlign = align;
    context.fillStyle = this.colour(colour);
    context.fillText(text, x, y);
  }
}
