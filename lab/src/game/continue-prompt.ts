import { make } from "../dom.js";

/** Asks whether to continue the previous game; hidden when there is none. */
export class ContinuePrompt {
  readonly element: HTMLElement;
  readonly #text = make("p");

  constructor(onContinue: () => void, onDiscard: () => void) {
    const button = (id: string, label: string, run: () => void) => {
      const made = make("button", "", make("span", "", label));
      made.type = "button";
      made.id = id;
      made.addEventListener("click", run);
      return made;
    };
    this.element = make(
      "div",
      "continue-prompt",
      this.#text,
      make(
        "div",
        "actions",
        button("continue", "Continue", onContinue),
        button("discard", "Discard", onDiscard),
      ),
    );
    this.element.hidden = true;
  }

  show(seconds: number): void {
    this.#text.textContent = `Your last game (${formatLength(seconds)}) is saved in this browser.`;
    this.element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** Formats seconds as minutes and seconds: 1:05. */
export const formatLength = (seconds: number) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
