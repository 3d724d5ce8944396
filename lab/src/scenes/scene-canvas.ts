import { Drawing } from "../canvas.js";
import type { DrawableScene } from "./drawable.js";
import { paintOf } from "./paints.js";

/** A canvas that shows a scene. */
export class SceneCanvas extends Drawing {
  #scene: DrawableScene = "platformer";
  #world: object | undefined;

  constructor(label: string) {
    super("scene", label);
  }

  /** Draws a world of a scene. */
  draw(scene: DrawableScene, world: object): void {
    this.#scene = scene;
    this.#world = world;
    this.repaint();
  }

  protected override paint(context: CanvasRenderingContext2D, width: number, height: number): void {
    if (this.#world) paintOf(this.#scene)(context, width, height, this.#world);
  }
}
