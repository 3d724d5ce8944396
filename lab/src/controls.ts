import GUI, { type Controller } from "lil-gui";
import type { Settings, Values } from "./address.js";
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
  readonly #settings = new Map<string, Controller>();
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
      const { target } = event;
      const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      actions.find(({ key }) => key === event.key.toLowerCase())?.run();
    };
    addEventListener("keydown", this.#onKey);
  }

  /** Adds a slider or a list for each of the settings. */
  addSettings<S extends Settings>(settings: S, values: Values<S>, changed: (name?: string) => void): void {
    for (const [name, setting] of Object.entries(settings)) {
      const controller =
        "choices" in setting
          ? this.#gui.add(values, name as never, namesByLabel(setting.choices))
          : this.#gui.add(values, name as never, setting.min, setting.max, setting.step);
      controller.name(setting.label).onChange(() => changed(name));
      controller.domElement.dataset["setting"] = name;
      this.#settings.set(name, controller);
    }
    const reset = () => {
      for (const [name, { initial }] of Object.entries(settings))
        (values as Record<string, unknown>)[name] = initial;
      this.updateSettings();
      changed();
    };
    this.#gui.add({ reset }, "reset").name("Default settings");
  }

  /** Shows settings that were changed otherwise than here. */
  updateSettings(): void {
    for (const controller of this.#settings.values()) controller.updateDisplay();
  }

  /** Lets a setting be changed, or shows that it has no effect now. */
  enableSetting(name: string, isEnabled: boolean): void {
    this.#settings.get(name)!.enable(isEnabled);
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

const namesByLabel = (choices: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(choices).map(([name, label]) => [label, name]));
