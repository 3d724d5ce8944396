import type { WorkerSession } from "../../../src/worker/index.js";
import { FigureList, lane, make } from "../dom.js";
import { HistogramCanvas } from "./histogram-canvas.js";

/** Shows by how much the picture of the worker is behind, and why. */
export class DelayView {
  readonly element: HTMLElement;
  readonly #canvas = new HistogramCanvas();
  readonly #figures = new FigureList({
    delay: "Delay D",
    wanted: "Called for",
    starved: "Starved frames",
    states: "States counted",
    memory: "Memory",
  });

  constructor() {
    this.element = lane(
      "lane",
      { id: "delay", name: "The delay" },
      [make("p", "", "How long after it was due each of the last states could be drawn.")],
      make("div", "", this.#canvas.canvas),
      this.#figures.element,
    );
  }

  drawFigures({ timing, memory }: WorkerSession): void {
    const { delay, wantedDelay, starvedFrames, frames, states } = timing;
    this.#canvas.draw(timing.lags(), delay);
    const milliseconds = (value: number) => `${value.toFixed(1)}\u00a0ms`;
    this.#figures.set("delay", milliseconds(delay));
    this.#figures.set("wanted", states > 0 ? milliseconds(wantedDelay) : "–");
    this.#figures.set("starved", `${starvedFrames} of ${frames}`);
    this.#figures.set("states", String(states));
    this.#figures.set("memory", memory);
  }

  dispose(): void {
    this.#canvas.dispose();
  }
}
