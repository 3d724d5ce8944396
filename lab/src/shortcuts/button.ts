import { make } from "../dom.js";
import { hintShortcut } from "./bind.js";
import "./button.css";
import { openShortcuts } from "./set-up.js";

/** A button that opens the list of shortcuts. */
export class ShortcutsButton {
  readonly element = make("button", "shortcuts-button", make("span", "", "Keyboard shortcuts"));
  readonly #endHint = hintShortcut(this.element, "help");

  constructor() {
    this.element.type = "button";
    this.element.addEventListener("click", openShortcuts);
  }

  dispose(): void {
    this.#endHint();
  }
}
