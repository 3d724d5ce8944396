import { make } from "../dom.js";

/** Asks whether to go on with the game before; hidden while there is none. */
export class Offer {
  readonly element: HTMLElement;
  readonly #text = make("p");

  constructor(goOn: () => void, forget: () => void) {
    const button = (id: string, label: string, run: () => void) => {
      const made = make("button", "", make("span", "", label));
      made.type = "button";
      made.id = id;
      made.addEventListener("click", run);
      return made;
    };
    this.element = make(
      "div",
      "offer",
      this.#text,
      make("div", "actions", button("go-on", "Go on", goOn), button("forget", "Forget it", forget)),
    );
    this.element.hidden = true;
  }

  show(seconds: number): void {
    this.#text.textContent = `Your last game, ${lengthOf(seconds)}, is kept in this browser.`;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** Minutes and seconds. */
export const lengthOf = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
