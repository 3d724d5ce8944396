import type { FrameInfo, Loop } from "../loop/index.js";
import { putInto } from "./corner.js";
import { diagnose } from "./diagnose.js";
import { figuresOf } from "./figures.js";
import { Graph } from "./graph.js";
import { FrameMemory } from "./frame-memory.js";
import { onKey } from "./key.js";
import type { Hud, HudOptions } from "./options.js";
import { Panel } from "./panel.js";
import { requireLoop, settingsOf, type HudSettings } from "./settings.js";

/** Real seconds between changes of figures, which nobody could read sooner; and of words. */
const FIGURES = 0.25;
const WORDS = 1;

/** Shows what a loop does, in a corner of the page. */
export function mountHud(loop: Loop, options: HudOptions = {}): Hud {
  requireLoop("mountHud", loop);
  return new Overlay(loop, settingsOf(options));
}

class Overlay implements Hud {
  private readonly memory = new FrameMemory();
  private readonly graph = new Graph(this.memory);
  private readonly panel = new Panel(this.graph.canvas);
  private readonly still = matchMedia("(prefers-reduced-motion: reduce)");
  private isStill = false;
  private isCollapsed: boolean;
  private isHidden = false;
  /** Real seconds since figures and words were changed. */
  private sinceFigures = 0.5;
  private sinceWords = 0.5;
  private readonly removers: (() => void)[];

  constructor(
    private readonly loop: Loop,
    { corner, collapsed, key, parent }: HudSettings,
  ) {
    const { panel } = this;
    const refresh = () => this.refresh();
    this.isCollapsed = panel.collapsed = collapsed;
    panel.button.addEventListener("click", () => (this.collapsed = !this.isCollapsed));
    this.removers = [
      loop.on("render", (info) => this.frame(info)),
      loop.on("reset", () => {
        this.memory.clear();
        this.refresh();
      }),
      ...(["start", "stop", "pause", "resume", "driver", "rate"] as const).map((event) =>
        loop.on(event, refresh),
      ),
      putInto(corner, parent, panel.host),
    ];
    if (key !== null) this.removers.push(onKey(key, () => (this.hidden = !this.isHidden)));
    this.refresh();
  }

  get collapsed(): boolean {
    return this.isCollapsed;
  }
  set collapsed(isCollapsed: boolean) {
    this.isCollapsed = this.panel.collapsed = isCollapsed;
    this.refresh();
  }

  get hidden(): boolean {
    return this.isHidden;
  }
  set hidden(isHidden: boolean) {
    this.isHidden = this.panel.host.hidden = isHidden;
    this.refresh();
  }

  remove(): void {
    for (const remove of this.removers.splice(0)) remove();
  }

  private frame({ realDelta, steps, alpha }: FrameInfo): void {
    this.memory.add(realDelta, steps, alpha);
    this.sinceFigures += realDelta;
    this.sinceWords += realDelta;
    if (this.isHidden) return;
    if (!this.isCollapsed && !this.isStill) this.graph.drawLast();
    if (this.sinceFigures < FIGURES) return;
    if (this.sinceWords < WORDS) this.showFigures();
    else this.showWords();
  }

  /** Shows all of it as it is now. */
  private refresh(): void {
    if (this.isHidden) return;
    this.showWords();
    if (!this.isCollapsed) this.graph.redraw();
  }

  private showWords(): void {
    this.sinceWords = 0;
    this.panel.showWords(this.showFigures(), diagnose(this.loop));
    if (this.isStill && !this.isCollapsed) this.graph.redraw();
  }

  private showFigures() {
    const { loop, memory, graph } = this;
    this.sinceFigures = 0;
    this.isStill = this.still.matches;
    const values = figuresOf(loop, memory);
    this.panel.showFigures(values);
    const period = loop.display?.locked ? loop.display.period : loop.stats.recent.frameTime;
    if (graph.fit(devicePixelRatio, period || 1 / 60) && !this.isCollapsed) graph.redraw();
    return values;
  }
}
