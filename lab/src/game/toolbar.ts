import { isTyping } from "../controls.js";
import { make } from "../dom.js";

/** A button and what it runs. */
export interface Tool {
  readonly id: string;
  readonly label: string;
  /** Keyboard shortcut. */
  readonly key?: string;
  run(): void;
}

/** A row of buttons that can be disabled one by one. */
export class Toolbar {
  readonly element = make("div", "actions tools");
  readonly #buttons = new Map<string, HTMLButtonElement>();
  readonly #aborter = new AbortController();

  constructor(label: string, tools: readonly Tool[]) {
    this.element.setAttribute("role", "group");
    this.element.setAttribute("aria-label", label);
    for (const { id, label: text, key, run } of tools) {
      const button = make("button", "", make("span", "", text));
      button.type = "button";
      button.id = id;
      button.addEventListener("click", run);
      if (key) {
        const hint = make("kbd", "", key.toUpperCase());
        hint.ariaHidden = "true";
        button.append(hint);
        button.setAttribute("aria-keyshortcuts", key);
      }
      this.#buttons.set(id, button);
      this.element.append(button);
    }
    const onKey = (event: KeyboardEvent) => {
      const tool = tools.find(({ key }) => key === event.key.toLowerCase());
      if (tool && !isTyping(event) && !this.#buttons.get(tool.id)!.disabled) tool.run();
    };
    addEventListener("keydown", onKey, { signal: this.#aborter.signal });
  }

  enable(id: string, isEnabled: boolean): void {
    this.#buttons.get(id)!.disabled = !isEnabled;
  }

  dispose(): void {
    this.#aborter.abort();
  }
}
