import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import type { FrameMeter } from "./frame-meter.js";

/** The rate of the pile. */
const RATE = 60;
/** The chart reaches at least this many milliseconds. */
const TOP = 50;
/** A smaller share of late frames is good: other programs cause some, too. */
const FEW = 0.1;

/** Shows one side: its picture, its frames, and how fast the game runs. */
export class SideView {
  readonly element: HTMLElement;
  readonly #figures = new FigureList({
    fps: "Frames/s",
    late: "Late frames",
    longest: "Longest frame",
    speed: "Game speed",
  });
  readonly #strip: Strip;

  constructor(
    side: { readonly id: string; readonly name: string },
    about: string,
    canvas: HTMLCanvasElement,
  ) {
    this.#strip = new Strip({
      label: `${side.name}: how long each of the last frames took, in milliseconds`,
      height: 64,
      series: [{ label: "Frame", colour: "ball" }],
      bars: true,
    });
    this.element = lane(
      "lane",
      side,
      [make("p", "", about)],
      canvas,
      this.#figures.element,
      make("p", "caption", "Milliseconds per frame"),
      this.#strip.element,
    );
  }

  drawFigures(meter: FrameMeter): void {
    const { rates, intervals, lateShare } = meter;
    const number = (value: number, text: string) => (Number.isFinite(value) ? text : "–");
    this.#figures.set("fps", number(rates.frames, rates.frames.toFixed(0)));
    const isSmooth = intervals.length > 20 ? lateShare < FEW : undefined;
    this.#figures.set("late", number(lateShare, `${(100 * lateShare).toFixed(0)}\u00a0%`), isSmooth);
    const longest = Math.max(...intervals.slice(-60));
    this.#figures.set("longest", number(longest, `${longest.toFixed(0)}\u00a0ms`));
    const speed = rates.ticks / RATE;
    this.#figures.set("speed", number(speed, `${(100 * speed).toFixed(0)}\u00a0%`));
    this.#strip.drawBars(intervals, TOP);
  }

  dispose(): void {
    this.#strip.dispose();
  }
}
