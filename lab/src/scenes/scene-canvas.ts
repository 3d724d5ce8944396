import { Drawing } from "../canvas.js";
import type { DrawableScene } from "./drawable.js";
import { paintOf } from "./paints.js";

/** A canvas that shows a scene. */
export class SceneCanvas extends Drawing {
  #scene: DrawableScene = "platformer";
  #world: object | undefined;
  #seconds = 0;

  constructor(label: string) {
    super("scene", label);
  }

  /** Draws a scene. `world` is its state, and `seconds` the simulated time since its start. */
  draw(scene: DrawableScene, world: object, seconds: number): void {
    this.#scene = scene;
    this.#world = world;
    this.#seconds = seconds;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (this.#world) paintOf(this.#scene)(context, width, height, this.#world, this.#seconds);
  }
}
