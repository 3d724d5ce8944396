import { make } from "../dom.js";
import { MachineView } from "./machine-view.js";
import type { NetworkGame } from "./network-game.js";

/** Shows all players side by side. */
export class MachinesView {
  readonly element = make("div", "machines");
  #views: MachineView[] = [];

  drawPicture({ machines, now }: NetworkGame): void {
    this.#fit(machines);
    machines.forEach((machine, seat) => this.#views[seat]!.drawPicture(machine, now));
  }

  drawFigures({ machines }: NetworkGame, plays: (seat: number) => boolean): void {
    this.#fit(machines);
    machines.forEach((machine, seat) => this.#views[seat]!.drawFigures(machine, plays(seat)));
  }

  dispose(): void {
    for (const view of this.#views) view.dispose();
  }

  /** Creates one view per player. */
  #fit(machines: NetworkGame["machines"]): void {
    if (machines.length === this.#views.length) return;
    this.dispose();
    this.#views = machines.map((machine) => new MachineView(machine));
    this.element.replaceChildren(...this.#views.map(({ element }) => element));
  }
}
