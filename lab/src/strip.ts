import uPlot from "uplot";
import { make } from "./dom.js";
import { colour, onTheme } from "./theme/colours.js";

type Colour = Parameters<typeof colour>[0];

/** Pixels for the numbers at the side, and for a bar with its gap. */
const AXIS = 26;
const BAR = 4;

export interface StripOptions {
  readonly label: string;
  readonly height: number;
  readonly series: readonly { readonly label: string; readonly colour: Colour; readonly dash?: number[] }[];
  /** Bars, one a value; else lines. */
  readonly bars?: boolean;
}

/** A small chart of what happened lately. */
export class Strip {
  readonly element = make("div", "strip");
  readonly #plot: uPlot;
  readonly #sizes: ResizeObserver;
  readonly #endTheme: () => void;
  readonly #bars: boolean;
  #top = 1;
  #data: readonly (readonly number[])[];

  constructor({ label, height, series, bars = false }: StripOptions) {
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", label);
    this.#bars = bars;
    this.#data = [[0], ...series.map(() => [0])];
    this.element.style.height = `${height}px`;
    const options: uPlot.Options = {
      width: 100,
      height,
      padding: [6, 2, 3, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: (_, min, max) => (bars ? [min - 0.5, max + 0.5] : [min, max]) },
        y: { range: (_, __, max) => [0, Math.max(this.#top, Math.ceil((max ?? 0) - 1e-3))] },
      },
      axes: [
        { show: false },
        {
          size: AXIS,
          gap: 4,
          font: "11px system-ui, sans-serif",
          stroke: () => colour("muted"),
          grid: { stroke: () => colour("line"), width: 1 },
          ticks: { show: false },
          // Only the ends: it is small.
          splits: (_, __, min, max) => [min, max],
        },
      ],
      series: [
        {},
        ...series.map((one) => ({
          label: one.label,
          stroke: () => (bars ? "transparent" : colour(one.colour)),
          ...(bars
            ? { fill: () => colour(one.colour), paths: uPlot.paths.bars!({ size: [0.7, 7, 1] }) }
            : {}),
          ...(one.dash ? { dash: one.dash } : {}),
          width: bars ? 0 : 1.75,
          points: { show: false },
        })),
      ],
    };
    this.#plot = new uPlot(options, this.#data as unknown as uPlot.AlignedData, this.element);
    this.#sizes = new ResizeObserver(() => {
      this.#plot.setSize({ width: Math.max(60, this.element.clientWidth), height });
      this.#show();
    });
    this.#sizes.observe(this.element);
    this.#endTheme = onTheme(() => this.#plot.redraw());
  }

  /** The x values, and those of each series, on a scale that is at least so high. */
  draw(data: readonly (readonly number[])[], top: number): void {
    this.#top = top;
    this.#data = data;
    this.#show();
  }

  #show(): void {
    // The latest bars that have room; a line fits any width.
    const room = this.#bars ? Math.max(2, Math.floor((this.element.clientWidth - AXIS) / BAR)) : Infinity;
    const data = this.#data.map((values) => values.slice(-room));
    this.#plot.setData(data as unknown as uPlot.AlignedData);
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#endTheme();
    this.#plot.destroy();
  }
}
