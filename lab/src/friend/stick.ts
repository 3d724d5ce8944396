import { make } from "../dom.js";
import type { InputDevice } from "../../../src/input/index.js";

type StickControl = "stick x" | "stick y" | "stick dash";
const CONTROLS: readonly string[] = ["stick x", "stick y", "stick dash"];
/** How far the thumb has to move for a direction to count, as a part of the radius. */
const DEAD = 0.3;

/** A touch stick and a button, shown on touch screens. */
export class Stick {
  readonly element = make("div", "stick-pad");
  readonly #base = make("div", "stick");
  readonly #knob = make("span");
  readonly #dash: HTMLElement;

  constructor(label = "Dash") {
    this.#dash = make("div", "stick-dash", label);
    // Every action also has a key.
    this.element.ariaHidden = "true";
    this.#base.append(this.#knob);
    this.element.append(this.#base, this.#dash);
    // A long press must not open the context menu.
    this.element.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** The controls as a device to bind. */
  get device(): InputDevice<StickControl> {
    return {
      name: "stick",
      has: (control): control is StickControl => CONTROLS.includes(control),
      start: (report) => {
        const aborter = new AbortController();
        const { signal } = aborter;
        const move = (event: PointerEvent) => {
          const { left, top, width, height } = this.#base.getBoundingClientRect();
          const [x, y] = eightWays(
            (2 * (event.clientX - left)) / width - 1,
            (2 * (event.clientY - top)) / height - 1,
          );
          report("stick x", x, event.timeStamp);
          report("stick y", y, event.timeStamp);
          this.#knob.style.translate = `${30 * x}% ${30 * y}%`;
        };
        const rest = (event: PointerEvent) => {
          report("stick x", 0, event.timeStamp);
          report("stick y", 0, event.timeStamp);
          this.#knob.style.translate = "";
        };
        this.#base.addEventListener(
          "pointerdown",
          (event) => {
            this.#base.setPointerCapture(event.pointerId);
            move(event);
          },
          { signal },
        );
        this.#base.addEventListener(
          "pointermove",
          (event) => {
            if (this.#base.hasPointerCapture(event.pointerId)) move(event);
          },
          { signal },
        );
        for (const end of ["pointerup", "pointercancel"] as const) {
          this.#base.addEventListener(end, rest, { signal });
          this.#dash.addEventListener(end, ({ timeStamp }) => report("stick dash", 0, timeStamp), { signal });
        }
        this.#dash.addEventListener("pointerdown", ({ timeStamp }) => report("stick dash", 1, timeStamp), {
          signal,
        });
        return { stop: () => aborter.abort() };
      },
    };
  }
}

/** Returns the nearest of eight directions, or none near the center. */
export function eightWays(x: number, y: number): readonly [x: number, y: number] {
  const length = Math.hypot(x, y);
  if (length < DEAD) return [0, 0];
  // sin 22.5°: halfway between straight and diagonal.
  const way = (part: number) => (Math.abs(part) > 0.3827 * length ? Math.sign(part) : 0);
  return [way(x), way(y)];
}
