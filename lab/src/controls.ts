import GUI, { type Controller } from "lil-gui";
import type { Settings, Values } from "./address.js";
import { make } from "./dom.js";

interface Button {
  readonly id: string;
  readonly label: string;
  /** The key that does the same. */
  readonly key: string;
}

/** What is done at a press. */
interface Deed extends Button {
  readonly run: () => void;
}

/** What is done for as long as the button or the key is down. */
interface Hold extends Button {
  readonly hold: (isDown: boolean) => void;
}

export type Action = Deed | Hold;

/** The sliders and buttons of an experiment. */
export class Controls {
  readonly element = make("aside", "controls");
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #gui: GUI;
  readonly #settings = new Map<string, Controller>();
  readonly #status = make("p", "status");
  readonly #news = make("p", "visually-hidden");
  readonly #ends: (() => void)[] = [];

  constructor(actions: readonly Action[]) {
    this.element.setAttribute("aria-label", "Controls");
    const row = make("div", "actions");
    for (const action of actions) {
      const { id, label, key } = action;
      const hint = make("kbd", "", key.toUpperCase());
      hint.ariaHidden = "true";
      const button = make("button", "", make("span", "", label), hint);
      button.type = "button";
      button.id = id;
      button.setAttribute("aria-keyshortcuts", key);
      if ("run" in action) button.addEventListener("click", action.run);
      else this.#ends.push(holdBy(button, action));
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

    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.repeat) return;
      const action = actions.find(({ key }) => key === event.key.toLowerCase());
      if (action && "run" in action) action.run();
    };
    addEventListener("keydown", onKey);
    this.#ends.push(() => removeEventListener("keydown", onKey));
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
    for (const end of this.#ends) end();
    this.#gui.destroy();
  }
}

const namesByLabel = (choices: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(choices).map(([name, label]) => [label, name]));

/** Whether a key is meant for something that takes text, or for the browser. Letters mean nothing to a slider. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    (target instanceof HTMLInputElement && target.type !== "range") ||
    target instanceof HTMLSelectElement ||
    ctrlKey ||
    metaKey ||
    altKey
  );
}

/** Holds while the button is pressed, by pointer, space or enter, or its key is; returns the function that ends it. */
function holdBy(button: HTMLButtonElement, { key, hold }: Hold): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  let isDown = false;
  const set = (down: boolean) => {
    if (down === isDown) return;
    isDown = down;
    button.setAttribute("aria-pressed", String(down));
    hold(down);
  };
  const isOurs = (event: KeyboardEvent) =>
    event.key.toLowerCase() === key ||
    (document.activeElement === button && (event.key === " " || event.key === "Enter"));
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture(event.pointerId);
    set(true);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"])
    button.addEventListener(end, () => set(false));
  // A long press of a finger is no wish for a menu.
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("keydown", (event) => !isTyping(event) && isOurs(event) && set(true), { signal });
  addEventListener("keyup", (event) => isOurs(event) && set(false), { signal });
  // Keys that come up elsewhere are not told.
  addEventListener("blur", () => set(false), { signal });
  return () => ending.abort();
}
