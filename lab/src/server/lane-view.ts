import { FigureList, lane, make } from "../dom.js";
import { Strip, type StripOptions } from "../strip.js";
import { GhostsCanvas, type GhostPicture } from "./ghosts-canvas.js";

interface LaneOptions<Name extends string> {
  readonly id: string;
  readonly name: string;
  /** Describes the picture. */
  readonly label: string;
  /** The seat to mark in the picture. */
  readonly own?: number;
  /** The caption of the chart, and its lines. */
  readonly caption: string;
  readonly series: StripOptions["series"];
  readonly figures: Readonly<Record<Name, string>>;
}

/** Shows a machine: its picture, a chart and its figures. */
export class LaneView<Name extends string> {
  readonly element: HTMLElement;
  readonly figures: FigureList<Name>;
  readonly #detail = make("p");
  readonly #picture: GhostsCanvas;
  readonly #strip: Strip;

  constructor({ id, name, label, own = -1, caption, series, figures }: LaneOptions<Name>) {
    this.#picture = new GhostsCanvas(`${name}: ${label}`, own);
    this.#strip = new Strip({ label: `${name}: ${caption}`, height: 56, series });
    this.figures = new FigureList(figures);
    this.element = lane(
      "lane",
      { id, name },
      [this.#detail],
      this.#picture.canvas,
      make("p", "caption", caption),
      this.#strip.element,
      this.figures.element,
    );
  }

  drawPicture(picture: GhostPicture): void {
    this.#picture.draw(picture);
  }

  /** Draws lines of equal length. Larger values than `top` are cut off, so that charts can be compared. */
  drawChart(lines: readonly (readonly number[])[], top: number): void {
    const length = Math.max(2, ...lines.map((line) => line.length));
    const fitting = lines.map((line) =>
      Array.from({ length }, (_, i) => Math.min(top, line[i - length + line.length] ?? 0)),
    );
    this.#strip.draw([[...Array(length).keys()], ...fitting], top);
  }

  /** Sets the text next to the heading. */
  set detail(text: string) {
    if (this.#detail.textContent !== text) this.#detail.textContent = text;
  }

  dispose(): void {
    this.#picture.dispose();
    this.#strip.dispose();
  }
}
