import { make } from "../dom.js";

/** A labelled line of text to type or paste. */
export function textField(id: string, label: string, placeholder = ""): HTMLInputElement {
  const input = make("input");
  input.type = "text";
  input.id = id;
  input.placeholder = placeholder;
  input.autocomplete = "off";
  input.spellcheck = false;
  input.ariaLabel = label;
  return input;
}

export function button(id: string, label: string, run: () => void): HTMLButtonElement {
  const made = make("button", "", make("span", "", label));
  made.type = "button";
  made.id = id;
  made.addEventListener("click", run);
  return made;
}

/** A text to send to a friend, with a button that copies it. */
export class TextToSend {
  readonly element: HTMLElement;
  readonly #field: HTMLInputElement;
  readonly #copy: HTMLButtonElement;

  constructor(id: string, label: string) {
    this.#field = textField(id, label);
    this.#field.readOnly = true;
    this.#field.addEventListener("focus", () => this.#field.select());
    this.#copy = button(`${id}-copy`, "Copy", () => void this.#toClipboard());
    this.element = make("div", "line", this.#field, make("div", "actions", this.#copy));
  }

  set text(text: string) {
    this.#field.value = text;
    this.#say("Copy");
  }

  async #toClipboard(): Promise<void> {
    this.#field.select();
    try {
      await navigator.clipboard.writeText(this.#field.value);
      this.#say("Copied");
    } catch {
      // Not allowed here. The text is selected, so that a key copies it.
      this.#say("Press Ctrl+C");
    }
  }

  #say(text: string): void {
    this.#copy.firstElementChild!.textContent = text;
  }
}
