import { START } from "../../scenes/spring.js";
import { Drawing } from "./canvas.js";
import { colour } from "./theme/colours.js";

/** The radius of the ball, as a part of the height. */
const BALL = 0.305;

/** What a track shows: the ball, the exact solution, and recent positions of the ball. */
export interface Picture {
  readonly x: number;
  readonly exactX: number;
  readonly trail?: readonly number[];
}

/** A line with a ball on it. The ring is the exact solution. */
export class Track extends Drawing {
  #picture: Picture = { x: START, exactX: START };

  constructor(label: string) {
    super("track", label);
  }

  draw(picture: Picture): void {
    this.#picture = picture;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    const y = height / 2;
    const radius = Math.min(20, BALL * height);
    // Leave some room, as coarse steps may overshoot.
    const pixelX = (x: number) => width / 2 + (x / (START * 1.02)) * (width / 2 - radius - 4);
    context.strokeStyle = colour("line");
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(pixelX(-START), y);
    context.lineTo(pixelX(START), y);
    for (const mark of [-START, 0, START]) {
      context.moveTo(pixelX(mark), y - 6);
      context.lineTo(pixelX(mark), y + 6);
    }
    context.stroke();

    const { x, exactX, trail = [] } = this.#picture;
    context.fillStyle = colour("ball");
    // Smaller dots on a narrow track, or they would merge.
    const dot = Math.min(4, Math.max(2, width / 180));
    trail.forEach((past, index) => {
      context.globalAlpha = (0.45 * (index + 1)) / trail.length;
      disc(context, pixelX(past), y, dot);
      context.fill();
    });
    context.globalAlpha = 1;
    disc(context, pixelX(x), y, radius);
    context.fill();
    context.strokeStyle = colour("ring");
    context.lineWidth = 2;
    disc(context, pixelX(exactX), y, radius + 3);
    context.stroke();
  }
}

function disc(context: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
}
