import { exactSpring } from "../../../scenes/spring.js";
import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import { Track } from "../track.js";
import type { NamedPolicy } from "./policies.js";
import type { Samples, Spiral } from "./spiral.js";
import { FREEZE, PLAYABLE_RATE, verdictOf } from "./verdict.js";
import "./world.css";
import { DAMPING, type World } from "./world.js";

/** Shows a world on the page. */
export class WorldView {
  readonly element: HTMLElement;
  readonly #track: Track;
  readonly #frameTime = new Strip({
    label: "Seconds per frame, over the last 12 seconds",
    height: 52,
    series: [{ label: "Seconds per frame", colour: "ball" }],
  });
  readonly #ledger = new Strip({
    label: "Seconds lost and owed, over the last 12 seconds",
    height: 52,
    series: [
      { label: "Lost", colour: "bad" },
      { label: "Owed", colour: "correction", dash: [4, 3] },
    ],
  });
  readonly #figures = new FigureList({
    fps: "Frames/s",
    freeze: "Longest freeze",
    speed: "Speed",
    lost: "Lost",
    owed: "Owed",
  });
  readonly #verdict = make("strong");
  readonly #total = make("span", "total");

  constructor(policy: NamedPolicy) {
    const { name, about, code } = policy;
    this.#track = new Track(`${name}: the ball, and a ring where it would be on a machine that keeps up`);
    this.element = lane(
      "world",
      policy,
      [make("code", "", code), make("p", "", about), make("p", "verdict", this.#verdict)],
      this.#track.canvas,
      this.#figures.element,
      make("p", "caption", "Seconds per frame ", this.#total),
      this.#frameTime.element,
      make(
        "p",
        "caption",
        "Seconds: ",
        make("span", "key lost", "lost"),
        " ",
        make("span", "key debt", "owed"),
      ),
      this.#ledger.element,
    );
  }

  drawTrack({ seen }: World, now: number): void {
    this.#track.draw({ x: seen.x, exactX: exactSpring(now, DAMPING) });
  }

  drawFigures(world: World, { now, times, tops }: Spiral, samples: Samples): void {
    const { lost, frames, steps } = world.seen;
    const rate = world.frameRate(now);
    const longest = world.longestFreeze(now);
    const { isGood, isFrozen, text } = verdictOf(world, now);
    this.#verdict.textContent = `${isGood ? "✓" : "✗"} ${text}`;
    this.#verdict.dataset["verdict"] = isGood ? "good" : "bad";
    this.element.classList.toggle("frozen", isFrozen);
    this.#figures.set("fps", rate.toFixed(rate < 9.95 ? 1 : 0), rate >= PLAYABLE_RATE);
    this.#figures.set("freeze", `${longest.toFixed(2)} s`, longest <= FREEZE);
    this.#figures.set("speed", `${(100 * world.speed(now)).toFixed(0)} %`);
    this.#figures.set("lost", `${lost.toFixed(3)} s`);
    this.#figures.set("owed", `${world.owed(now).toFixed(3)} s`);
    this.#total.textContent = `${steps} steps in ${frames} frames`;
    if (times.length < 2) return;
    this.#frameTime.draw([times, samples.frameTime], tops.frameTime);
    this.#ledger.draw([times, samples.lost, samples.owed], tops.ledger);
  }

  dispose(): void {
    this.#track.dispose();
    this.#frameTime.dispose();
    this.#ledger.dispose();
  }
}
