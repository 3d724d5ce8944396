import type { Diagnosis } from "./diagnose.js";
import { FigureGrid, make, write } from "./elements.js";
import type { FigureName, figuresOf } from "./figures.js";
import { MonitorPanel } from "./monitor-panel.js";
import type { NetFigures } from "./net-figures.js";
import { NetPanel } from "./net-panel.js";
import { STYLE } from "./style.js";
import type { WorkerFigures } from "./worker-figures.js";
import { WorkerPanel } from "./worker-panel.js";

/** The figures of the grid, two per row. The class selects the colour of a lane of the graph. */
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
/** Maximum number of diagnoses shown. */
const MAX_DIAGNOSES = 2;

/** What the overlay shows, as texts by name. */
export interface Shown {
  readonly values: ReturnType<typeof figuresOf>;
  /** Figures of the user's own. */
  readonly monitors: Readonly<Record<string, string>>;
  readonly net: NetFigures | undefined;
  readonly worker: WorkerFigures | undefined;
}

/** The elements of the overlay, in a shadow root. */
export class Panel {
  readonly host = document.createElement("div");
  readonly button = document.createElement("button");
  private readonly box = make("div", "box");
  private readonly body = make("div", "panel");
  private readonly sign = make("span", "sign");
  private readonly hints = make("span", "hints");
  private readonly fps = make("span", "fps");
  private readonly tick = make("span", "tick");
  /** For screen readers only. */
  private readonly spoken = make("p", "spoken");
  private readonly notes = document.createElement("ul");
  private readonly grid = new FigureGrid(GRID);
  private readonly monitors = new MonitorPanel();
  private readonly net = new NetPanel();
  private readonly worker = new WorkerPanel();

  constructor(graph: HTMLCanvasElement) {
    const { box, button, body, spoken } = this;
    const root = this.host.attachShadow({ mode: "open" });
    // Not a style element, which a content security policy may block.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];

    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Tickwise");
    button.type = "button";
    button.setAttribute("aria-label", "Tickwise figures");
    // The button covers the head but does not contain its figures: a name that changes all the time would be announced.
    const summary = make("span", "summary");
    summary.setAttribute("aria-hidden", "true");
    summary.append(make("span", "dot"), this.fps, this.hints, this.tick, this.sign);
    const head = make("div", "head");
    head.append(summary, button);
    // Keep the focus in the game, or its next space would click the button again.
    button.addEventListener("mousedown", (event) => event.preventDefault());

    const { grid, worker, monitors, net, notes } = this;
    body.append(graph, grid.element, worker.element, monitors.element, net.element, spoken, notes);
    box.append(head, body);
    root.append(box);
  }

  set collapsed(isCollapsed: boolean) {
    this.box.classList.toggle("collapsed", isCollapsed);
    this.body.hidden = isCollapsed;
    this.button.setAttribute("aria-expanded", String(!isCollapsed));
    write(this.sign, isCollapsed ? "+" : "–");
  }

  showFigures({ values, monitors, net, worker }: Shown): void {
    write(this.fps, `${values.fps} fps`);
    write(this.tick, `tick ${values.tick}`);
    this.grid.show(values);
    this.monitors.show(monitors);
    this.net.show(net);
    this.worker.show(worker);
  }

  /** Updates the text for screen readers, which is not announced, and the diagnoses. */
  showText({ values, monitors, net, worker }: Shown, found: readonly Diagnosis[]): void {
    const lines = [values, worker ?? {}, monitors, ...(net ? [net.figures, ...net.peers] : [])];
    write(this.spoken, lines.map(spokenText).filter(Boolean).join(" "));
    this.box.classList.toggle("has-problems", found.length > 0);
    write(this.hints, found.length > 0 ? `${found.length} ${found.length > 1 ? "hints" : "hint"}` : "");
    const texts = found.slice(0, MAX_DIAGNOSES).map(({ text }) => text);
    if (found.length > MAX_DIAGNOSES)
      texts.push(`And ${found.length - MAX_DIAGNOSES} more: see diagnose(loop).`);
    if (found.length === 0) texts.push("No problems found.");
    const { notes } = this;
    while (notes.children.length > texts.length) notes.lastChild!.remove();
    texts.forEach((text, i) => {
      const item = (notes.children[i] ?? notes.appendChild(document.createElement("li"))) as HTMLElement;
      // Keep a figure and its unit on one line.
      write(item, text.replace(/(\d) (?=Hz|ms|%|s\b)/g, "$1\u00a0"));
    });
  }
}

function spokenText(values: Readonly<Record<string, string>>): string {
  const shown = Object.entries(values).filter(([, value]) => value !== "");
  return shown.length > 0 ? `${shown.map(([name, value]) => `${name} ${value}`).join(", ")}.` : "";
}
