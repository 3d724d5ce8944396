import { onTheme } from "../../../lab/src/theme/colours.js";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { showDisplayLine } from "../display/display-line.js";
import { Brush } from "../figure/brush.js";
import { drawJelly } from "./draw-jelly.js";
import { TwoJellies } from "./model.js";

/** Below this width, both jellies share one picture with a divider. */
const NARROW = 640;
/** Seconds after which a still picture shows the difference. */
const STILL = 2.2;

/** The picture of the start page: one jelly, twice, and one dial. */
export class Hero {
  readonly #element: HTMLElement;
  readonly #brush: Brush;
  readonly #model: TwoJellies;
  readonly #dial: HTMLInputElement;
  readonly #output: HTMLOutputElement;
  readonly #isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  #divider = 0.5;
  #time = 0;

  constructor(element: HTMLElement) {
    this.#element = element;
    const canvas = element.querySelector("canvas")!;
    this.#brush = new Brush(canvas.getContext("2d")!);
    this.#dial = element.querySelector("input")!;
    this.#output = element.querySelector("output")!;
    this.#model = new TwoJellies(Number(this.#dial.value));
    this.#dial.addEventListener("input", () => {
      this.#output.value = `${this.#dial.value} frames per second`;
      this.setDisplay();
    });
    const divide = (event: PointerEvent) => {
      const { left, width } = canvas.getBoundingClientRect();
      this.#divider = Math.min(0.95, Math.max(0.05, (event.clientX - left) / width));
      this.#draw();
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (!this.#isNarrow) return;
      canvas.setPointerCapture(event.pointerId);
      divide(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (this.#isNarrow && event.buttons > 0) divide(event);
    });
    new ResizeObserver(() => {
      this.#brush.fit();
      this.#draw();
    }).observe(canvas);
    onTheme(() => this.#draw());
    if (this.#isStill) this.#advance(STILL);
  }

  /** Shows both jellies on a recorded display; without one, on the dial's. */
  setDisplay(recording?: DisplayRecording): void {
    showDisplayLine(this.#element, recording);
    this.#model.setDisplay(Number(this.#dial.value), recording);
    if (this.#isStill) this.#advance(this.#time + STILL);
  }

  get #isNarrow(): boolean {
    return this.#brush.context.canvas.clientWidth < NARROW;
  }

  /** Goes on by the seconds of a real frame. */
  frame(seconds: number): void {
    if (!this.#isStill) this.#advance(this.#time + seconds);
  }

  #advance(time: number): void {
    this.#time = time;
    if (this.#model.advance(time)) this.#draw();
  }

  #draw(): void {
    const brush = this.#brush;
    brush.begin();
    const { width, height, context } = brush;
    const { left, shown } = this.#model;
    if (!this.#isNarrow) {
      const half = width / 2;
      drawJelly(brush, left.place, { x: 12, y: 0, width: half - 24, height }, "wrong");
      drawJelly(brush, shown, { x: half + 12, y: 0, width: half - 24, height }, "simulated");
      return;
    }
    const divider = width * this.#divider;
    const area = { x: 0, y: 0, width, height };
    for (const side of ["left", "right"] as const) {
      context.save();
      context.beginPath();
      context.rect(side === "left" ? 0 : divider, 0, side === "left" ? divider : width - divider, height);
      context.clip();
      drawJelly(brush, side === "left" ? left.place : shown, area, side === "left" ? "wrong" : "simulated");
      context.restore();
    }
    brush.line(divider, 0, divider, height, "ink", 2);
    brush.disc(divider, height - 30, 13, "ink");
    brush.text("⇆", divider, height - 25, "page", { align: "center", size: 15 });
  }
}
