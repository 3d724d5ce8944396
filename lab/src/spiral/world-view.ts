import { exactSpring } from "../../../scenes/spring.js";
import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import { Track } from "../track.js";
import { formatOptions, type NamedPolicy } from "./policies.js";
import type { Samples } from "./spiral.js";
import { DAMPING, type World } from "./world.js";

/** Shows a world on the page. */
export class WorldView {
  readonly element: HTMLElement;
  readonly #track: Track;
  readonly #rate = new Strip({
    label: "Frames per second over the last 12 seconds",
    height: 52,
    series: [{ label: "Frames per second", colour: "ball" }],
  });
  readonly #ledger = new Strip({
    label: "Lost time and debt in seconds, over the last 12 seconds",
    height: 52,
    series: [
      { label: "Lost", colour: "bad" },
      { label: "Debt", colour: "good", dash: [4, 3] },
    ],
  });
  readonly #figures = new FigureList({
    fps: "Frames/s",
    speed: "Speed",
    lost: "Lost",
    debt: "Debt",
  });
  readonly #total = make("span", "total");

  constructor(policy: NamedPolicy) {
    const { name, about, options } = policy;
    this.#track = new Track(`${name}: the ball, and a ring where it would be on a machine that keeps up`);
    this.element = lane(
      "world",
      policy,
      [make("code", "", formatOptions(options)), make("p", "", about)],
      this.#track.canvas,
      this.#figures.element,
      make("p", "caption", "Frames/s ", this.#total),
      this.#rate.element,
      make("p", "caption", "Seconds: ", make("span", "key lost", "lost"), make("span", "key debt", "debt")),
      this.#ledger.element,
    );
  }

  drawTrack({ seen }: World, now: number): void {
    this.#track.draw({ x: seen.x, exactX: exactSpring(now, DAMPING) });
  }

  drawFigures(world: World, now: number, times: readonly number[], samples: Samples, fps: number): void {
    const { lost, debt, frames, steps } = world.seen;
    const rate = world.frameRate(now);
    this.#figures.set("fps", rate.toFixed(rate < 9.95 ? 1 : 0));
    this.#figures.set("speed", `${(100 * world.speed).toFixed(0)} %`);
    this.#figures.set("lost", `${lost.toFixed(3)} s`);
    this.#figures.set("debt", `${debt.toFixed(3)} s`);
    this.#total.textContent = `${steps} steps in ${frames} frames`;
    if (times.length < 2) return;
    this.#rate.draw([times, samples.frameRate], fps);
    this.#ledger.draw([times, samples.lost, samples.debt], 1);
  }

  dispose(): void {
    this.#track.dispose();
    this.#rate.dispose();
    this.#ledger.dispose();
  }
}
