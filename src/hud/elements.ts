export function make(tag: string, className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** Writes only changed text, to avoid layout. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Figures by name, two per row. Screen readers get them as text instead. */
export class FigureGrid<N extends string> {
  readonly element = document.createElement("dl");
  private readonly cells = new Map<N, readonly [HTMLElement, HTMLElement]>();

  constructor(names: readonly (readonly [name: N, className?: string])[]) {
    this.element.setAttribute("aria-hidden", "true");
    for (const [name, className = ""] of names) {
      const pair = [make("dt", className), document.createElement("dd")] as const;
      pair[0].textContent = name;
      this.cells.set(name, pair);
      this.element.append(...pair);
    }
  }

  /** Empty figures are hidden. */
  show(values: Readonly<Record<N, string>>): void {
    for (const [name, [label, value]] of this.cells) {
      label.hidden = value.hidden = values[name] === "";
      write(value, values[name]);
    }
  }
}
