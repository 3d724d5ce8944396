import { make } from "../dom.js";
import { bindShortcut, hintShortcut } from "../shortcuts/bind.js";
import type { ShortcutName } from "../shortcuts/table.js";

/** A button and what it runs. */
export interface Tool {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: ShortcutName;
  run(): void;
}

/** A row of buttons that can be disabled one by one. */
export class Toolbar {
  readonly element = make("div", "actions tools");
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #cleanups: (() => void)[] = [];

  constructor(label: string, tools: readonly Tool[]) {
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", label);
    for (const { id, label: text, shortcut, run } of tools) {
      const button = make("button", "", make("span", "", text));
      button.type = "button";
      button.id = id;
      button.addEventListener("click", run);
      if (shortcut) {
        const press = () => (button.disabled ? false : run());
        this.#cleanups.push(
          hintShortcut(button, shortcut),
          bindShortcut(shortcut, { label: () => text, press }),
        );
      }
      this.#buttons.set(id, button);
      this.element.append(button);
    }
  }

  enable(id: string, isEnabled: boolean): void {
    this.#buttons.get(id)!.disabled = !isEnabled;
  }

  dispose(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }
}
