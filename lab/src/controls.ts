import GUI from "lil-gui";
import type { Ranges, Values } from "./address.js";
import { make } from "./dom.js";

export interface Action {
  readonly id: string;
  readonly label: string;
  /** The key that does the same. */
  readonly key: string;
  readonly run: () => void;
}

/** The sliders and buttons of an experiment. */
export class Controls {
  readonly element = make("aside", "controls");
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #gui: GUI;
  readonly #status = make("p", "status");
  readonly #news = make("p", "visually-hidden");
  readonly #onKey: (event: KeyboardEvent) => void;

  constructor(actions: readonly Action[]) {
    this.element.setAttribute("aria-label", "Controls");
    const row = make("div", "actions");
    for (const { id, label, key, run } of actions) {
      const hint = make("kbd", "", key.toUpperCase());
      hint.ariaHidden = "true";
      const button = make("button", "", make("span", "", label), hint);
      button.type = "button";
      button.id = id;
      button.setAttribute("aria-keyshortcuts", key);
      button.addEventListener("click", run);
      this.#buttons.set(id, button);
      row.append(button);
    }
    this.#news.setAttribute("role", "status");
    this.#status.id = "status";
    const host = make("div", "panel");
    this.element.append(row, host, this.#status, this.#news);
    this.#gui = new GUI({ container: host, title: "Settings" });
    // On a phone the lanes come first.
    if (matchMedia("(max-width: 40rem)").matches) this.#gui.close();

    this.#onKey = (event) => {
      const isTyping = event.target instanceof HTMLInputElement;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      actions.find(({ key }) => key === event.key.toLowerCase())?.run();
    };
    addEventListener("keydown", this.#onKey);
  }

  /** Adds a slider for each of the values. */
  addSliders<R extends Ranges>(ranges: R, values: Values<R>, changed: () => void): void {
    for (const [name, { label, min, max, step }] of Object.entries(ranges)) {
      const controller = this.#gui
        .add(values, name as never, min, max, step)
        .name(label)
        .onChange(changed);
      controller.domElement.dataset["setting"] = name;
    }
    const reset = () => {
      for (const [name, { initial }] of Object.entries(ranges))
        (values as Record<string, number>)[name] = initial;
      for (const controller of this.#gui.controllers) controller.updateDisplay();
      changed();
    };
    this.#gui.add({ reset }, "reset").name("Default settings");
  }

  /** Says what the button does now. */
  setLabel(id: string, label: string): void {
    this.#buttons.get(id)!.firstElementChild!.textContent = label;
  }

  /** Shows where the experiment stands. */
  set status(text: string) {
    this.#status.textContent = text;
  }

  /** Tells a screen reader what an action did. */
  announce(text: string): void {
    this.#news.textContent = text;
  }

  dispose(): void {
    removeEventListener("keydown", this.#onKey);
    this.#gui.destroy();
  }
}
