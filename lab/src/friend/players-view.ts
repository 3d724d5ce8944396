import { apart, make } from "../dom.js";
import type { Guest } from "./party.js";

/** Lists all seats: who plays, and how far away. */
export class PlayersView {
  readonly element: HTMLElement;
  readonly #list = make("ul", "seats");
  #shown = "";

  constructor() {
    this.element = make("section", "card", make("h3", "", "Players"), this.#list);
  }

  draw(guests: readonly Guest[], points: ArrayLike<number>): void {
    const rows = guests.map(({ seat, name, who, roundTrip }) => [
      name || (who === "bot" ? "Bot" : `Player ${seat + 1}`),
      who === "you" ? "you" : roundTrip === undefined ? "" : `${roundTrip.toFixed(0)} ms`,
      String(points[seat] ?? 0),
    ]);
    const text = JSON.stringify(rows);
    if (text === this.#shown) return;
    this.#shown = text;
    this.#list.replaceChildren(
      ...rows.map(([name, note, score], seat) => {
        const item = make(
          "li",
          "",
          ...apart(
            make("span", "seat", String(seat + 1)),
            make("span", "who", name!),
            make("span", "far", note!),
            make("strong", "", score!),
          ),
        );
        item.dataset["seat"] = String(seat + 1);
        return item;
      }),
    );
  }
}
