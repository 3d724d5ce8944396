import { make } from "./dom.js";

/** The current tick, and the range that can be sought. */
interface Position {
  readonly tick: number;
  readonly first: number;
  readonly last: number;
}

/** A slider over the history. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #slider = make("input");
  readonly #first = make("span");
  readonly #last = make("span");
  /** Whether the visitor is dragging the slider. Time stops meanwhile. */
  isHeld = false;
  #isDragged = false;

  constructor(onSeek: (tick: number) => void, onRelease: () => void) {
    const slider = this.#slider;
    slider.type = "range";
    slider.id = "timeline";
    slider.step = "1";
    slider.setAttribute("aria-label", "Tick");
    slider.addEventListener("pointerdown", () => {
      this.#isDragged = true;
    });
    slider.addEventListener("input", () => {
      this.isHeld = true;
      onSeek(Number(slider.value));
    });
    slider.addEventListener("change", () => {
      this.isHeld = false;
      // Give the arrow keys back to the game.
      if (this.#isDragged) slider.blur();
      this.#isDragged = false;
      onRelease();
    });
    this.element = make("div", "timeline", slider, make("p", "caption", this.#first, " ", this.#last));
  }

  draw({ tick, first, last }: Position): void {
    const slider = this.#slider;
    // Set the range first: the browser clamps the value to it.
    slider.min = String(first);
    slider.max = String(Math.max(first + 1, last));
    if (!this.isHeld) slider.value = String(tick);
  }

  /** Updates the labels at both ends. */
  drawFigures({ tick, first, last }: Position): void {
    this.#slider.setAttribute("aria-valuetext", `tick ${tick}`);
    this.#first.textContent = `oldest ${first}`;
    this.#last.textContent = `newest ${last}`;
  }
}
