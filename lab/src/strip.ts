import "./language.js";
import uPlot from "uplot";
import { make } from "./dom.js";
import { colour, onTheme } from "./theme/colours.js";

type Colour = Parameters<typeof colour>[0];

/** Width in pixels of the axis labels, without and with a sign, and of a bar with its gap. */
const AXIS = 26;
const SIGNED_AXIS = 34;
const BAR = 4;
/** As many bars as fit a wide page. */
const MAX_BARS = 240;

export interface StripOptions {
  readonly label: string;
  readonly height: number;
  readonly series: readonly { readonly label: string; readonly colour: Colour; readonly dash?: number[] }[];
  /** Draws one bar per value instead of lines. */
  readonly bars?: boolean;
  /** Shows negative values too, on a scale fixed at ±top. */
  readonly signed?: boolean;
}

/** A small chart of recent values. */
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
          // Only the ends, as the chart is small.
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

  /** Draws x values and the values of each series. The scale reaches at least `top`; a signed one exactly. */
  draw(data: readonly (readonly number[])[], top: number): void {
    this.#top = top;
    this.#data = data;
    this.#show();
  }

  /** Draws the latest values as bars. */
  drawBars(values: readonly number[], top: number): void {
    const bars = Array.from({ length: MAX_BARS }, (_, bar) => values[values.length - MAX_BARS + bar] ?? 0);
    this.draw([[...bars.keys()], bars], top);
  }

  #show(): void {
    // The latest bars that fit; lines fit any width.
    const count = this.#bars
      ? Math.max(2, Math.floor((this.element.clientWidth - this.#axis) / BAR))
      : Infinity;
    const data = this.#data.map((values) => values.slice(-count));
    this.#plot.setData(data as unknown as uPlot.AlignedData);
  }

  dispose(): void {
    this.#sizes.disconnect();
    this.#endTheme();
    this.#plot.destroy();
  }
}
