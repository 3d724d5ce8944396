import { FigureGrid } from "./elements.js";
import type { WorkerFigures } from "./worker-figures.js";

/** The part of the overlay that shows a session in a worker. The first figure has a row of its own. */
export class WorkerPanel {
  private readonly grid = new FigureGrid<keyof WorkerFigures>([
    ["worker"],
    ["behind"],
    ["busy"],
    ["starved"],
  ]);
  readonly element = this.grid.element;

  constructor() {
    this.element.className = "worker";
    this.element.hidden = true;
  }

  show(figures: WorkerFigures | undefined): void {
    this.element.hidden = figures === undefined;
    if (figures) this.grid.show(figures);
  }
}
