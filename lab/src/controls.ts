import GUI, { type Controller } from "lil-gui";
import type { Settings, Values } from "./address.js";
import { make } from "./dom.js";

interface Button {
  readonly id: string;
  readonly label: string;
  /** Keyboard shortcut. */
  readonly key: string;
}

/** Runs once per press. */
interface PressAction extends Button {
  readonly run: () => void;
}

/** Active while the button or the key is held down. */
interface HoldAction extends Button {
  readonly hold: (isDown: boolean) => void;
}

export type Action = PressAction | HoldAction;

/** The sliders and buttons of an experiment. */
export class Controls {
  readonly element = make("aside", "controls");
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #gui: GUI;
  readonly #settings = new Map<string, Controller>();
  readonly #status = make("p", "status");
  readonly #announcement = make("p", "visually-hidden");
  readonly #cleanups: (() => void)[] = [];

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
      else this.#cleanups.push(bindHold(button, action));
      this.#buttons.set(id, button);
      row.append(button);
    }
    this.#announcement.setAttribute("role", "status");
    this.#status.id = "status";
    const host = make("div", "panel");
    this.element.append(row, host, this.#status, this.#announcement);
    this.#gui = new GUI({ container: host, title: "Settings" });
    // On a phone, leave the room to the lanes.
    if (matchMedia("(max-width: 40rem)").matches) this.#gui.close();

    const onKey = (event: KeyboardEvent) => {
      if (isTyping(event) || event.repeat) return;
      const action = actions.find(({ key }) => key === event.key.toLowerCase());
      if (action && "run" in action) action.run();
    };
    addEventListener("keydown", onKey);
    this.#cleanups.push(() => removeEventListener("keydown", onKey));
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

  /** Shows settings that something other than the panel has changed. */
  updateSettings(): void {
    for (const controller of this.#settings.values()) controller.updateDisplay();
  }

  /** Enables or disables a setting. */
  enableSetting(name: string, isEnabled: boolean): void {
    this.#settings.get(name)!.enable(isEnabled);
  }

  /** Changes a button's label. */
  setLabel(id: string, label: string): void {
    this.#buttons.get(id)!.firstElementChild!.textContent = label;
  }

  /** The status line. */
  set status(text: string) {
    this.#status.textContent = text;
  }

  /** Announces the result of an action to screen readers. */
  announce(text: string): void {
    this.#announcement.textContent = text;
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
    this.#gui.destroy();
  }
}

const namesByLabel = (choices: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(choices).map(([name, label]) => [label, name]));

/** Whether a key event belongs to a text field, a list or the browser. Sliders ignore letters, so they do not count. */
export function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (
    (target instanceof HTMLInputElement && target.type !== "range") ||
    target instanceof HTMLSelectElement ||
    ctrlKey ||
    metaKey ||
    altKey
  );
}

/** Binds a hold action to its button (pointer, Space or Enter) and its key. Returns the function that unbinds it. */
function bindHold(button: HTMLButtonElement, { key, hold }: HoldAction): () => void {
  const aborter = new AbortController();
  const { signal } = aborter;
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
  // A long press must not open the context menu.
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  addEventListener("keydown", (event) => !isTyping(event) && isOurs(event) && set(true), { signal });
  addEventListener("keyup", (event) => isOurs(event) && set(false), { signal });
  // Key-up events are lost while the window is unfocused.
  addEventListener("blur", () => set(false), { signal });
  return () => aborter.abort();
}
