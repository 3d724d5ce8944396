import { FigureList, lane, make } from "../dom.js";
import type { DrawableScene } from "../scenes/drawable.js";
import { SceneCanvas } from "../scenes/scene-canvas.js";
import type { Lane } from "./lane.js";

/** Steps per second of both lanes. */
const RATE = 60;

/** Shows a lane on the page. */
export class LaneView {
  readonly element: HTMLElement;
  readonly #canvas: SceneCanvas;
  readonly #rate = make("p");
  readonly #figures = new FigureList({ frames: "Frames", tick: "Steps" });

  constructor(id: "left" | "right", name: string) {
    this.#canvas = new SceneCanvas(`${name}: the scene as this display shows it`);
    this.element = lane("lane", { id, name }, [this.#rate], this.#canvas.canvas, this.#figures.element);
  }

  drawPicture(of: Lane, scene: DrawableScene): void {
    this.#canvas.draw(scene, of.view(), of.tick / RATE);
  }

  drawFigures(of: Lane, rate: string): void {
    this.#rate.textContent = rate;
    this.#figures.set("frames", String(of.display.frames));
    this.#figures.set("tick", String(of.tick));
  }

  dispose(): void {
    this.#canvas.dispose();
  }
}
