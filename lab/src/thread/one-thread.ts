import { make } from "../dom.js";
import { ballColours } from "../scenes/balls.js";
import { onTheme } from "../theme/colours.js";
import type { FrameMeter } from "./frame-meter.js";
import type { FromStage, ToStage } from "./stage-messages.js";

/** The pile on one thread, which simulates and draws it. */
export class OneThread {
  readonly canvas = make("canvas", "scene");
  /** Why there is no picture; "" if there is one. */
  problem = "";
  readonly #worker: Worker | undefined;
  readonly #meter: () => FrameMeter;
  readonly #sizes = new ResizeObserver(() => this.#resize());
  readonly #endTheme: () => void;

  constructor(meter: () => FrameMeter) {
    this.#meter = meter;
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", "The pile, simulated and drawn on one thread");
    this.#endTheme = onTheme(() => this.#post({ kind: "colours", colours: ballColours() }));
    if (typeof this.canvas.transferControlToOffscreen !== "function") {
      this.problem = "This browser cannot draw in a worker, so the side with one thread is missing.";
      return;
    }
    this.#worker = new Worker(new URL("./stage.worker.ts", import.meta.url), { type: "module" });
    this.#worker.addEventListener("message", ({ data }: MessageEvent<FromStage>) => {
      this.#meter().add(data.at, data.tick);
    });
    this.#worker.addEventListener("error", ({ message }) => {
      this.problem = `The side with one thread failed: ${message || "its worker could not be loaded"}.`;
    });
    const canvas = this.canvas.transferControlToOffscreen();
    this.#post({ kind: "colours", colours: ballColours() });
    this.#worker.postMessage({ kind: "canvas", canvas } satisfies ToStage, [canvas]);
    this.#sizes.observe(this.canvas);
  }

  #post(message: ToStage): void {
    this.#worker?.postMessage(message);
  }

  #resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = devicePixelRatio;
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    this.#post({ kind: "size", width, height, ratio });
  }

  setCost(cost: number): void {
    this.#post({ kind: "cost", cost });
  }

  setPaused(isPaused: boolean): void {
    this.#post({ kind: "pause", isPaused });
  }

  restart(): void {
    this.#post({ kind: "restart" });
  }

  dispose(): void {
    this.#worker?.terminate();
    this.#sizes.disconnect();
    this.#endTheme();
  }
}
