import { ArenaCanvas } from "../arena/arena-canvas.js";
import { describePlayer } from "../arena/keys.js";
import { FigureList, lane, make } from "../dom.js";
import { Strip } from "../strip.js";
import type { Machine } from "./machine.js";
import { TicksCanvas } from "./ticks-canvas.js";
import { bannerOf } from "./describe.js";

/** The scale of the advantage, in ticks. It grows if need be. */
const MIN_ADVANTAGE = 4;

/** Shows a player's machine: its picture, its latest ticks and its figures. */
export class MachineView {
  readonly element: HTMLElement;
  readonly #picture: ArenaCanvas;
  readonly #ticks: TicksCanvas;
  readonly #player = make("p");
  readonly #advantage = new Strip({
    label: "Advantage: how many ticks this player is ahead of the others",
    height: 46,
    signed: true,
    series: [{ label: "Advantage", colour: "ball" }],
  });
  readonly #figures = new FigureList({
    roundTrip: "Round trip",
    loss: "Loss",
    rollbacks: "Rollbacks",
    resimulated: "Resimulated",
    stalled: "Stalled",
    bytes: "Packet",
    pace: "Pace",
    delay: "Delay, window",
  });

  constructor({ name, seat }: Pick<Machine, "name" | "seat">) {
    this.#picture = new ArenaCanvas(`${name}: the game as this player sees it`);
    this.#picture.own = seat;
    this.#ticks = new TicksCanvas(name);
    this.element = lane(
      "lane",
      { id: `player-${seat + 1}`, name },
      [this.#player],
      this.#picture.canvas,
      make("div", "", this.#ticks.canvas),
      make("p", "caption", "Advantage in ticks"),
      this.#advantage.element,
      this.#figures.element,
    );
  }

  drawPicture(machine: Machine, now: number): void {
    this.#picture.draw({
      view: machine.view(),
      effects: machine.effects.all,
      now,
      banner: bannerOf(machine),
    });
    this.#ticks.draw(machine);
  }

  drawFigures(machine: Machine, isPlayed: boolean): void {
    const { advantages, seat, figures, session } = machine;
    this.#player.textContent = describePlayer(seat, isPlayed);
    const values = advantages.length > 1 ? advantages : [0, 0];
    const top = Math.max(MIN_ADVANTAGE, Math.ceil(Math.max(...values.map(Math.abs))));
    this.#advantage.draw([[...values.keys()], values], top);
    const { roundTrip, loss, rollbacks, resimulatedPerTick, stalled, bytesPerPacket, pace, delay, window } =
      figures;
    this.#figures.set("roundTrip", roundTrip === undefined ? "–" : `${roundTrip.toFixed(0)} ms`);
    this.#figures.set("loss", loss === undefined ? "–" : `${(100 * loss).toFixed(0)} %`);
    this.#figures.set("rollbacks", String(rollbacks));
    this.#figures.set("resimulated", `${resimulatedPerTick.toFixed(2)} / tick`);
    this.#figures.set("stalled", `${(100 * stalled).toFixed(0)} %`);
    this.#figures.set("bytes", bytesPerPacket > 0 ? `${bytesPerPacket.toFixed(1)} B` : "–");
    this.#figures.set("pace", `${pace.toFixed(2)}×`);
    this.#figures.set("delay", `${delay}, ${window}`);
    this.element.dataset["state"] = machine.isGone ? "gone" : session.net.state;
    this.element.dataset["tick"] = String(session.tick);
  }

  dispose(): void {
    this.#picture.dispose();
    this.#ticks.dispose();
    this.#advantage.dispose();
  }
}
