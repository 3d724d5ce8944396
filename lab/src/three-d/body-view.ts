import { Canvas } from "../canvas.js";
import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import { Stage } from "./stage.js";
import type { Tumbling } from "./tumbling.js";
import type { BlendMode } from "./blend-modes.js";

const UPRIGHT = [0, 0, 0, 1];

/** The body in one orientation, and an outline in another. */
class Picture extends Canvas {
  #turn: ArrayLike<number> = UPRIGHT;
  #outline: ArrayLike<number> = UPRIGHT;
  readonly #stage: Stage | undefined;

  constructor(label: string) {
    super("picture", label);
    this.#stage = Stage.on(this.canvas);
  }

  /** Whether WebGL is available. */
  get canDraw(): boolean {
    return this.#stage !== undefined;
  }

  draw(turn: ArrayLike<number>, outline: ArrayLike<number>): void {
    this.#turn = turn;
    this.#outline = outline;
    this.repaint();
  }

  override repaint(): void {
    if (this.canvas.width > 0) this.#stage?.draw(this.#turn, this.#outline);
  }

  override dispose(): void {
    super.dispose();
    this.#stage?.dispose();
  }
}

/** Shows one way to draw the body. */
export class BodyView {
  readonly element: HTMLElement;
  readonly #id: BlendMode["id"];
  readonly #picture: Picture;
  readonly #strip = new Strip({
    label: "Degrees turned per 1/60 s, over the last second",
    height: 52,
    bars: true,
    series: [{ label: "Degrees", colour: "ball" }],
  });
  readonly #figures = new FigureList({ truth: "Error", slerp: "vs slerp" });

  constructor(mode: BlendMode) {
    this.#id = mode.id;
    this.#picture = new Picture(`${mode.name}: a tumbling box, and an outline of its exact orientation`);
    this.element = lane(
      "body",
      mode,
      [make("code", "", mode.code)],
      this.#picture.canvas,
      this.#figures.element,
      make("p", "caption", "Degrees per 1/60 s"),
      this.#strip.element,
    );
  }

  /** Whether WebGL is available. */
  get canDraw(): boolean {
    return this.#picture.canDraw;
  }

  drawPicture({ shown, truth }: Tumbling): void {
    this.#picture.draw(shown[this.#id], truth.turn);
  }

  drawFigures(model: Tumbling): void {
    const id = this.#id;
    this.#figures.set("truth", degrees(model.max(id, "offTruth")));
    this.#figures.set("slerp", degrees(model.max(id, "offSlerp")));
    this.#strip.drawBars(
      model.samples[id].map(({ turned }) => turned),
      model.chartTop(id),
    );
  }

  dispose(): void {
    this.#picture.dispose();
    this.#strip.dispose();
  }
}

const degrees = (angle: number) => `${angle.toFixed(angle < 9.95 ? 2 : 1)}°`;
