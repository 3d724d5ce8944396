import { make, write } from "./elements.js";

/** The part of the overlay that shows monitors: figures of the user's own, one per row. */
export class MonitorPanel {
  readonly element = make("dl", "monitors");

  constructor() {
    // Screen readers get them as text.
    this.element.setAttribute("aria-hidden", "true");
  }

  show(values: Readonly<Record<string, string>>): void {
    const { element } = this;
    const texts = Object.entries(values).flat();
    element.hidden = texts.length === 0;
    while (element.children.length > texts.length) element.lastChild!.remove();
    while (element.children.length < texts.length) element.append(make("dt", ""), make("dd", ""));
    texts.forEach((text, i) => write(element.children[i] as HTMLElement, text));
  }
}
