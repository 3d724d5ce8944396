import { writeAddress } from "./address.js";

type Child = Node | string;

/** Creates an element with a class and children. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = "",
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

/** Creates one of several panels shown side by side: a heading, details below it, and the content. */
export function lane(
  kind: "lane" | "world" | "body",
  { id, name }: { readonly id: string; readonly name: string },
  details: readonly Child[],
  ...content: Child[]
): HTMLElement {
  const title = make("h3", "", name);
  title.id = `${kind}-${id}`;
  const element = make(
    "section",
    `lane ${kind}`,
    make("header", "", ...apart(title, ...details)),
    ...apart(...content),
  );
  element.dataset[kind] = id;
  element.setAttribute("aria-labelledby", title.id);
  return element;
}

/** Puts a space between elements, so that their texts do not run together where only the text counts. */
export const apart = (...children: readonly Child[]): Child[] => children.flatMap((child) => [child, " "]);

/** Creates a line that explains colours: pairs of a class and its meaning. */
export const legend = (className: string, entries: readonly (readonly [string, string])[]): HTMLElement =>
  make(
    "p",
    `caption ${className}`,
    ...apart(...entries.map(([kind, text]) => make("span", `swatch ${kind}`, text))),
  );

/** Creates a line of links to an experiment with other settings. */
export function links(
  label: string,
  experiment: string,
  targets: readonly (readonly [string, Readonly<Record<string, number | string>>])[],
): HTMLElement {
  const line = make("p", "try", `${label}: `);
  for (const [text, values] of targets) {
    const link = make("a", "", text);
    link.href = writeAddress(experiment, values);
    line.append(link, " ");
  }
  return line;
}

/** A list of named figures whose values change. */
export class FigureList<Name extends string> {
  readonly element = make("dl", "figures");
  readonly #values = new Map<Name, HTMLElement>();

  constructor(labels: Readonly<Record<Name, string>>) {
    for (const [name, label] of Object.entries(labels) as [Name, string][]) {
      const value = make("dd", "", "–");
      value.dataset["figure"] = name;
      this.#values.set(name, value);
      this.element.append(make("div", "", make("dt", "", label), " ", value), " ");
    }
  }

  /** Shows a value, with a ✓ or ✗ if `isGood` is given. */
  set(name: Name, text: string, isGood?: boolean): void {
    const value = this.#values.get(name)!;
    const full = isGood === undefined ? text : `${isGood ? "✓" : "✗"} ${text}`;
    if (value.textContent !== full) value.textContent = full;
    if (isGood === undefined) delete value.dataset["verdict"];
    else value.dataset["verdict"] = isGood ? "good" : "bad";
  }
}
