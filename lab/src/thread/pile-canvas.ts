import { Drawing } from "../canvas.js";
import { paintBalls } from "../scenes/balls.js";
import type { PileView } from "./pile.js";

/** Shows the pile that a worker simulates. */
export class PileCanvas extends Drawing {
  #view: PileView | undefined;

  constructor(label: string) {
    super("scene", label);
  }

  draw(view: PileView): void {
    this.#view = view;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (this.#view) paintBalls(context, width, height, this.#view);
  }
}
