import { make } from "./dom.js";

/** Where something stands, and the oldest and newest state that it can go to. */
interface Place {
  readonly tick: number;
  readonly first: number;
  readonly last: number;
}

/** A slider over the history: where it stands, and where one may go. */
export class Timeline {
  readonly element: HTMLElement;
  readonly #slider = make("input");
  readonly #first = make("span");
  readonly #last = make("span");
  /** Whether the visitor drags it: time waits. */
  isHeld = false;
  #isDragged = false;

  constructor(jump: (tick: number) => void, released: () => void) {
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
      jump(Number(slider.value));
    });
    slider.addEventListener("change", () => {
      this.isHeld = false;
      // Arrow keys play again.
      if (this.#isDragged) slider.blur();
      this.#isDragged = false;
      released();
    });
    this.element = make("div", "timeline", slider, make("p", "caption", this.#first, this.#last));
  }

  draw({ tick, first, last }: Place): void {
    const slider = this.#slider;
    // Ends first: a value beyond them would be cut.
    slider.min = String(first);
    slider.max = String(Math.max(first + 1, last));
    if (!this.isHeld) slider.value = String(tick);
  }

  /** The ends, in figures. */
  drawFigures({ tick, first, last }: Place): void {
    this.#slider.setAttribute("aria-valuetext", `tick ${tick}`);
    this.#first.textContent = `oldest ${first}`;
    this.#last.textContent = `newest ${last}`;
  }
}
