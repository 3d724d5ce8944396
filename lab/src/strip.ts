import uPlot from "uplot";
import { make } from "./dom.js";
import { colour, onTheme } from "./theme/colours.js";

type Colour = Parameters<typeof colour>[0];

/** Pixels for the numbers at the side, more with a sign, and for a bar with its gap. */
const AXIS = 26;
const SIGNED_AXIS = 34;
const BAR = 4;
/** Most bars: what a wide page has room for. */
const BARS = 240;

export interface StripOptions {
  readonly label: string;
  readonly height: number;
  readonly series: readonly { readonly label: string; readonly colour: Colour; readonly dash?: number[] }[];
  /** Bars, one a value; else lines. */
  readonly bars?: boolean;
  /** Values below 0 as well, on a scale that is as high as it is told and no higher. */
  readonly signed?: boolean;
}

/** A small chart of what happened lately. */
export class Strip {
  readonly element = make("div", "strip");
  readonly #plot: uPlot;
  readonly #sizes: ResizeObserver;
  readonly #endTheme: () => void;
  readonly #bars: boolean;
  readonly #axis: number;
  #top = 1;
  #data: readonly (readonly number[])[];

  constructor({ label, height, series, bars = false, signed = false }: StripOptions) {
    this.element.setAttribute("role", "img");
    this.element.setAttribute("aria-label", label);
    this.#bars = bars;
    this.#axis = signed ? SIGNED_AXIS : AXIS;
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
        y: {
          range: (_, __, max) =>
            signed ? [-this.#top, this.#top] : [0, Math.max(this.#top, Math.ceil((max ?? 0) - 1e-3))],
        },
      },
      axes: [
        { show: false },
        {
          size: this.#axis,
          gap: 4,
          font: "11px system-ui, sans-serif",
          stroke: () => colour("muted"),
          grid: { stroke: () => colour("line"), width: 1 },
          ticks: { show: false },
          // Only the ends: it is small.
          splits: (_, __, min, max) => (signed ? [min, 0, max] : [min, max]),
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

  /** The x values, and those of each series, on a scale that is at least so high; a signed one exactly. */
  draw(data: readonly (readonly number[])[], top: number): void {
    this.#top = top;
    this.#data = data;
    this.#show();
  }

  /** The latest of these values, bar by bar, on such a scale. */
  drawBars(values: readonly number[], top: number): void {
    const bars = Array.from({ length: BARS }, (_, bar) => values[values.length - BARS + bar] ?? 0);
    this.draw([[...bars.keys()], bars], top);
  }

  #show(): void {
    // The latest bars that have room; a line fits any width.
    const room = this.#bars
      ? Math.max(2, Math.floor((this.element.clientWidth - this.#axis) / BAR))
      : Infinity;
    const data = this.#data.map((values) => values.slice(-room));
    this.#plot.setData(data as unknown as uPlot.AlignedData);
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#endTheme();
    this.#plot.destroy();
  }
}
