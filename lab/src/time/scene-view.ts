import { FigureList, lane, make } from "../dom.js";
import { hashText } from "../../../src/state/index.js";
import { SceneCanvas } from "../scenes/scene-canvas.js";
import type { Timeline } from "../timeline.js";
import type { Playback } from "./playback.js";
import type { TimeSettings } from "./settings.js";

/** Shows the scene and its timeline. */
export class SceneView {
  readonly element: HTMLElement;
  readonly #canvas = new SceneCanvas("The scene, played forward or rewound");
  readonly #figures = new FigureList({
    tick: "Tick",
    hash: "Hash",
    past: "Past",
    future: "Future",
    memory: "Memory",
  });
  readonly #timeline: Timeline;

  readonly #touch = make("div");

  /** `pads` are the touch controls of each scene. */
  constructor(
    timeline: Timeline,
    readonly pads: Readonly<Record<TimeSettings["scene"], HTMLElement>>,
  ) {
    this.#timeline = timeline;
    this.element = lane(
      "lane",
      { id: "time", name: "The scene and its history" },
      [],
      this.#canvas.canvas,
      this.#touch,
      timeline.element,
      this.#figures.element,
    );
  }

  drawPicture(playback: Playback, scene: TimeSettings["scene"]): void {
    if (this.#touch.firstChild !== this.pads[scene]) this.#touch.replaceChildren(this.pads[scene]);
    const { tick, simulation } = playback.session;
    const [numerator, denominator] = simulation.rate;
    this.#canvas.draw(scene, playback.view(), (tick * denominator) / numerator);
    this.element.dataset["mode"] = playback.session.rewinding ? "back" : "forward";
    this.#timeline.draw(playback.session);
  }

  drawFigures(playback: Playback): void {
    const { session } = playback;
    this.#timeline.drawFigures(session);
    const { tick, first, last, memory, simulation } = session;
    const [numerator, denominator] = simulation.rate;
    const seconds = (ticks: number) => `${((ticks * denominator) / numerator).toFixed(2)} s`;
    this.#figures.set("tick", String(tick));
    this.#figures.set("hash", hashText(session.hash()));
    this.#figures.set("past", seconds(tick - first));
    this.#figures.set("future", seconds(last - tick));
    this.#figures.set(
      "memory",
      memory < 1e6 ? `${(memory / 1e3).toFixed(0)} kB` : `${(memory / 1e6).toFixed(1)} MB`,
    );
  }

  dispose(): void {
    this.#canvas.dispose();
  }
}
