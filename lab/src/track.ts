import { START } from "../../scenes/spring.js";
import { make } from "./dom.js";
import { colour, onTheme } from "./theme/colours.js";

const BALL = 11;

/** What a track shows: the ball, where it should be, and where it was drawn before. */
export interface Picture {
  readonly x: number;
  readonly exactX: number;
  readonly trail?: readonly number[];
}

/** A line with a ball on it. The ring is the exact solution. */
export class Track {
  readonly canvas = make("canvas", "track");
  #picture: Picture = { x: START, exactX: START };
  readonly #sizes = new ResizeObserver(() => this.#resize());
  readonly #endTheme = onTheme(() => this.#paint());

  constructor(label: string) {
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", label);
    this.#sizes.observe(this.canvas);
  }

  draw(picture: Picture): void {
    this.#picture = picture;
    this.#paint();
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#endTheme();
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.canvas.height = Math.round(clientHeight * devicePixelRatio);
    this.#paint();
  }

  #paint(): void {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const ratio = devicePixelRatio;
    const width = this.canvas.width / ratio;
    const height = this.canvas.height / ratio;
    const y = height / 2;
    // A coarse step may overshoot a little.
    const place = (x: number) => width / 2 + (x / (START * 1.02)) * (width / 2 - BALL - 4);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);

    context.strokeStyle = colour("line");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(place(-START), y);
    context.lineTo(place(START), y);
    for (const mark of [-START, 0, START]) {
      context.moveTo(place(mark), y - 6);
      context.lineTo(place(mark), y + 6);
    }
    context.stroke();

    const { x, exactX, trail = [] } = this.#picture;
    context.fillStyle = colour("ball");
    // On a narrow track they would run into one.
    const dot = Math.min(4, Math.max(2, width / 180));
    trail.forEach((past, index) => {
      context.globalAlpha = (0.45 * (index + 1)) / trail.length;
      disc(context, place(past), y, dot);
      context.fill();
    });
    context.globalAlpha = 1;
    disc(context, place(x), y, BALL);
    context.fill();
    context.strokeStyle = colour("ring");
    context.lineWidth = 2;
    disc(context, place(exactX), y, BALL + 3);
    context.stroke();
  }
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}
