import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import { Comb } from "./comb.js";
import "./lane.css";
import type { NamedPacing } from "./lanes.js";
import { AVOIDABLE, avoidableOf, VISIBLE } from "./verdicts.js";
import type { LaneFigures, LaneRun, Run } from "./run.js";

/** Refreshes in the chart. */
const MAX_CHARTED = 240;
/** The figures. */
const NAMES = ["rms", "avoidable", "worst", "irregular"] as const;

/** Shows a lane on the page. */
export class LaneView {
  readonly element: HTMLElement;
  readonly #comb: Comb;
  readonly #strip = new Strip({
    label: "Judder of the latest refreshes, in % of the move per refresh",
    height: 64,
    bars: true,
    signed: true,
    series: [{ label: "Judder", colour: "ball" }],
  });
  readonly #figures = new FigureList({
    rms: "Judder, RMS",
    avoidable: "Avoidable",
    worst: "Worst",
    irregular: "Odd steps/min",
  });

  constructor(pacing: NamedPacing) {
    const { name, code, about } = pacing;
    this.#comb = new Comb(`${name}: a moving bar, its traces, and ticks where even motion would leave them`);
    const caption = make("p", "caption", "Judder per refresh, %");
    this.element = lane(
      "lane",
      pacing,
      [make("code", "", code), make("p", "", about)],
      this.#comb.canvas,
      make("div", "under", make("div", "chart", caption, this.#strip.element), this.#figures.element),
    );
  }

  /** Shows the picture of the refresh at `index`; nothing if it is negative. */
  drawPicture({ judder, off }: LaneRun, first: number, index: number, magnify: number): void {
    this.#comb.draw(index < 0 ? undefined : { first, judder, off, now: first + index, magnify });
  }

  /** Shows the latest refreshes from `start` to `index`, on a scale of ±`top` percent. */
  drawChart({ judder }: LaneRun, start: number, index: number, top: number): void {
    const shown = judder.slice(Math.max(start, index + 1 - MAX_CHARTED), index + 1);
    this.#strip.drawBars(
      shown.map((part) => 100 * part),
      top,
    );
  }

  drawFigures(figures: LaneFigures | undefined, run: Run, bestRms: number): void {
    if (!figures) {
      for (const name of NAMES) this.#figures.set(name, "–");
      return;
    }
    const { rms, worst, irregular } = figures;
    const avoidable = avoidableOf(rms, bestRms);
    this.#figures.set("rms", percent(rms), rms < VISIBLE);
    this.#figures.set("avoidable", percent(avoidable), avoidable <= AVOIDABLE);
    this.#figures.set("worst", percent(worst));
    if (run.hasRegularSteps)
      this.#figures.set("irregular", String(irregular), irregular <= Math.ceil(run.forcedSlips + 0.1));
    else this.#figures.set("irregular", "–");
  }

  dispose(): void {
    this.#comb.dispose();
    this.#strip.dispose();
  }
}

/** Formats a ratio as a percentage: 0.03 %, 12.9 %, 119 %. */
export const percent = (part: number) =>
  `${(100 * part).toFixed(part < 0.00995 ? 2 : part < 0.995 ? 1 : 0)} %`;
