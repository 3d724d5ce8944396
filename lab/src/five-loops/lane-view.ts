import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import { Track } from "../track.js";
import type { FiveLoops } from "./five-loops.js";
import type { Lane } from "./lane.js";
import type { Strategy } from "./strategies.js";

const MAX_TRAIL = 18;

/** Shows a lane on the page. */
export class LaneView {
  readonly element: HTMLElement;
  readonly #track: Track;
  readonly #strip = new Strip({
    label: "Steps per frame, latest frames",
    height: 40,
    bars: true,
    series: [{ label: "Steps", colour: "ball" }],
  });
  readonly #figures = new FigureList({
    pace: "Right speed",
    drift: "Same result",
    uneven: "Smooth",
    distance: "Distance",
    lost: "Lost time",
  });
  readonly #total = make("span", "total");

  constructor(strategy: Strategy) {
    const { name, about } = strategy;
    this.#track = new Track(`${name}: the ball, and a ring at the exact solution`);
    const caption = make("p", "caption", "Steps per frame ", this.#total);
    const chart = make("div", "chart", caption, this.#strip.element);
    this.element = lane(
      "lane",
      strategy,
      [make("p", "", about)],
      this.#track.canvas,
      make("div", "under", chart, this.#figures.element),
    );
  }

  drawTrack({ x, exactX, recent }: Lane): void {
    const trail = recent.frames.slice(-MAX_TRAIL - 1, -1).map((shown) => shown.x);
    this.#track.draw({ x, exactX, trail });
  }

  drawFigures(of: Lane, { rounds, display }: FiveLoops): void {
    const { recent, pace, drift, lostSeconds, steps, loop } = of;
    this.#strip.drawBars(
      recent.frames.map((shown) => shown.steps),
      3,
    );
    this.#total.textContent = `${steps} in ${display.frames}`;

    // Up to one step per round may still be pending when the round ends.
    this.#figures.set("pace", `${pace.toFixed(2)}×`, Math.abs(of.slip) <= loop.dt * rounds + 1e-6);
    this.#figures.set("drift", drift === 0 ? "exactly" : `off ${small(drift)}`, drift === 0);
    const uneven = recent.unevenness * 1e3;
    this.#figures.set("uneven", `±${uneven.toFixed(1)} ms`, uneven < 0.5);
    this.#figures.set("distance", recent.distance.toFixed(2));
    this.#figures.set("lost", `${lostSeconds.toFixed(3)} s`);
  }

  dispose(): void {
    this.#track.dispose();
    this.#strip.dispose();
  }
}

/** Formats a small number: 0.032, 3e-6. Shorter than a column of figures. */
const small = (value: number) =>
  value < 0.001 ? value.toExponential(0) : String(Number(value.toPrecision(value < 0.01 ? 1 : 2)));
