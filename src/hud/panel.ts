import type { Diagnosis } from "./diagnose.js";
import type { FigureName, figuresOf } from "./figures.js";
import { STYLE } from "./style.js";

/** What the grid has, two a row; those with a colour of the graph have its name as their class. */
const GRID: readonly (readonly [name: FigureName, className?: string])[] = [
  ["frame", "time"],
  ["refresh"],
  ["steps", "steps"],
  ["rate"],
  ["alpha", "alpha"],
  ["judder"],
  ["lost"],
  ["dropped"],
  ["step"],
  ["draw"],
];
/** Diagnoses that there is room for. */
const ROOM = 2;

type Values = ReturnType<typeof figuresOf>;

/** The overlay's elements, in a shadow root: text that changes, and a place for the graph. */
export class Panel {
  readonly host = document.createElement("div");
  readonly button = document.createElement("button");
  private readonly box = make("div", "box");
  private readonly body = make("div", "panel");
  private readonly sign = make("span", "sign");
  private readonly mark = make("span", "mark");
  private readonly fps = make("span", "fps");
  private readonly tick = make("span", "tick");
  /** For those who do not see it. */
  private readonly words = make("p", "words");
  private readonly notes = document.createElement("ul");
  private readonly cells = new Map<FigureName, readonly [HTMLElement, HTMLElement]>();

  constructor(graph: HTMLCanvasElement) {
    const { box, button, body, words } = this;
    const root = this.host.attachShadow({ mode: "open" });
    // Not a style element, which a content security policy may forbid.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];

    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Tickwise");
    button.type = "button";
    button.setAttribute("aria-label", "Tickwise figures");
    const head = document.createElement("span");
    head.style.display = "contents";
    head.setAttribute("aria-hidden", "true");
    head.append(make("span", "dot"), this.fps, this.mark, this.tick, this.sign);
    button.append(head);
    // A click must not take the focus from the game, whose next space would click once more.
    button.addEventListener("mousedown", (event) => event.preventDefault());

    const grid = document.createElement("dl");
    grid.setAttribute("aria-hidden", "true");
    for (const [name, className = ""] of GRID) {
      const pair = [make("dt", className), document.createElement("dd")] as const;
      pair[0].textContent = name;
      this.cells.set(name, pair);
      grid.append(...pair);
    }
    body.append(graph, grid, words, this.notes);
    box.append(button, body);
    root.append(box);
  }

  set collapsed(isCollapsed: boolean) {
    this.box.classList.toggle("collapsed", isCollapsed);
    this.body.hidden = isCollapsed;
    this.button.setAttribute("aria-expanded", String(!isCollapsed));
    write(this.sign, isCollapsed ? "+" : "–");
  }

  showFigures(values: Values): void {
    write(this.fps, `${values.fps} fps`);
    write(this.tick, `tick ${values.tick}`);
    for (const [name, [label, value]] of this.cells) {
      label.hidden = value.hidden = values[name] === "";
      write(value, values[name]);
    }
  }

  /** What a screen reader finds, if it looks: nothing calls it. */
  showWords(values: Values, found: readonly Diagnosis[]): void {
    const told = Object.entries(values).filter(([, value]) => value !== "");
    write(this.words, `${told.map(([name, value]) => `${name} ${value}`).join(", ")}.`);
    this.box.classList.toggle("ill", found.length > 0);
    write(this.mark, found.length > 0 ? `${found.length} ${found.length > 1 ? "hints" : "hint"}` : "");
    const texts = found.slice(0, ROOM).map(({ text }) => text);
    if (found.length > ROOM) texts.push(`And ${found.length - ROOM} more: see diagnose(loop).`);
    if (found.length === 0) texts.push("All is well.");
    const { notes } = this;
    while (notes.children.length > texts.length) notes.lastChild!.remove();
    texts.forEach((text, i) => {
      const item = (notes.children[i] ?? notes.appendChild(document.createElement("li"))) as HTMLElement;
      // A figure stays with its unit.
      write(item, text.replace(/(\d) (?=Hz|ms|%|s )/g, "$1\u00a0"));
    });
  }
}

function make(tag: string, className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}

/** Only what has changed is laid out again. */
function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}
