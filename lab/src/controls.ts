import GUI, { type Controller } from "lil-gui";
import type { Settings, Values } from "./address.js";
import { make } from "./dom.js";
import { bindShortcut, hintShortcut, isTyping } from "./shortcuts/bind.js";
import { ShortcutsButton } from "./shortcuts/button.js";
import type { ShortcutName } from "./shortcuts/table.js";

interface Button {
  readonly id: string;
  readonly label: string;
  readonly shortcut: ShortcutName;
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
      const { id, label, shortcut } = action;
      const text = make("span", "", label);
      const button = make("button", "", text);
      button.type = "button";
      button.id = id;
      if ("run" in action) button.addEventListener("click", action.run);
      const held = "hold" in action ? bindHold(button, action.hold) : undefined;
      this.#cleanups.push(
        hintShortcut(button, shortcut),
        bindShortcut(shortcut, {
          label: () => text.textContent,
          press: () => ("run" in action ? action.run() : held!.set(true)),
          release: () => held?.set(false),
        }),
      );
      if (held) this.#cleanups.push(held.unbind);
      this.#buttons.set(id, button);
      row.append(button);
    }
    const shortcuts = new ShortcutsButton();
    this.#cleanups.push(() => shortcuts.dispose());
    this.#announcement.setAttribute("role", "status");
    this.#status.id = "status";
    const host = make("div", "panel");
    this.element.append(row, host, this.#status, shortcuts.element, this.#announcement);
    this.#gui = new GUI({ container: host, title: "Settings" });
    // On a phone, leave the room to the lanes.
    if (matchMedia("(max-width: 40rem)").matches) this.#gui.close();
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

/** A hold action bound to its button. */
interface Held {
  set(isDown: boolean): void;
  unbind(): void;
}

/** Binds a hold action to its button: pointer, Space or Enter. */
function bindHold(button: HTMLButtonElement, hold: (isDown: boolean) => void): Held {
  const aborter = new AbortController();
  const { signal } = aborter;
  let isDown = false;
  const set = (down: boolean) => {
    if (down === isDown) return;
    isDown = down;
    button.setAttribute("aria-pressed", String(down));
    hold(down);
  };
  const isOurs = ({ key }: KeyboardEvent) =>
    document.activeElement === button && (key === " " || key === "Enter");
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
  return { set, unbind: () => aborter.abort() };
}
