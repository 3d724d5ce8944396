import { lane, make } from "../dom.js";
import type { NetworkGame } from "./network-game.js";

/** Lists what happened, newest first. */
export class EventsView {
  readonly element: HTMLElement;
  readonly #list = make("ol", "report events");
  #count = -1;
  #last = "";

  constructor() {
    this.#list.tabIndex = 0;
    this.#list.setAttribute("aria-label", "What happened, newest first");
    this.element = lane("lane", { id: "events", name: "What happened" }, [], this.#list);
  }

  draw({ events }: NetworkGame): void {
    const last = events.at(-1)?.text ?? "";
    if (events.length === this.#count && last === this.#last) return;
    this.#count = events.length;
    this.#last = last;
    this.#list.replaceChildren(
      ...[...events]
        .reverse()
        .map(({ at, text }) => make("li", "", make("span", "", `${at.toFixed(1)} s`), text)),
    );
  }

  dispose(): void {}
}
