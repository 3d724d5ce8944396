import { requireArguments } from "../errors/index.js";
import { displayOf, measure, type FrameInfo, type Loop } from "../loop/index.js";
import { putInto } from "./corner.js";
import { diagnose } from "./diagnose.js";
import { figuresOf, monitorsOf } from "./figures.js";
import { Graph } from "./graph.js";
import { FrameMemory } from "./frame-memory.js";
import { onKey } from "./key.js";
import { netFiguresOf, peerFiguresOf, type NetFigures } from "./net-figures.js";
import { NetMemory } from "./net-memory.js";
import type { Hud, HudOptions } from "./options.js";
import { Panel, type Shown } from "./panel.js";
import { settingsOf, type HudSettings } from "./settings.js";
import { loopOf, netSessionOf, tickOf, workerSessionOf, type HudSubject } from "./subject.js";
import { workerFiguresOf } from "./worker-figures.js";

/** Real seconds between updates of the figures. */
const FIGURES_INTERVAL = 0.25;
/** Real seconds between updates of the text. */
const TEXT_INTERVAL = 1;

/**
 * Shows an overlay with live figures of a loop, in a corner of the page, and measures the loop from now on. Give it what `drive`
 * returned to see those of a network session, or of one in a worker, too.
 */
export function mountHud(loop: HudSubject, options: HudOptions = {}): Hud {
  requireArguments("mountHud", arguments.length, 2);
  return new Overlay(loop, loopOf("mountHud", loop), settingsOf(options));
}

class Overlay implements Hud {
  private readonly memory = new FrameMemory();
  private readonly graph = new Graph(this.memory);
  private readonly panel = new Panel(this.graph.canvas);
  private readonly reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  private readonly netMemory = new NetMemory();
  /** Real seconds of all frames. */
  private time = 0;
  private isStill = false;
  private isCollapsed: boolean;
  private isHidden = false;
  /** Real seconds since the figures and the text were updated. */
  private sinceFigures = 0.5;
  private sinceText = 0.5;
  private readonly removers: (() => void)[];

  constructor(
    private readonly subject: HudSubject,
    private readonly loop: Loop,
    { corner, collapsed, key, parent }: HudSettings,
  ) {
    const { panel } = this;
    const refresh = () => this.refresh();
    this.isCollapsed = panel.collapsed = collapsed;
    // First, so that its listeners run before those of the overlay.
    measure(loop);
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

  dispose(): void {
    for (const remove of this.removers.splice(0)) remove();
  }

  private frame({ realDelta, steps, alpha }: FrameInfo): void {
    this.memory.add(realDelta, steps, alpha);
    this.time += realDelta;
    this.sinceFigures += realDelta;
    this.sinceText += realDelta;
    if (this.isHidden) return;
    if (!this.isCollapsed && !this.isStill) this.graph.drawLast();
    if (this.sinceFigures < FIGURES_INTERVAL) return;
    if (this.sinceText < TEXT_INTERVAL) this.showFigures();
    else this.showText();
  }

  /** Updates everything. */
  private refresh(): void {
    if (this.isHidden) return;
    this.showText();
    if (!this.isCollapsed) this.graph.redraw();
  }

  private showText(): void {
    this.sinceText = 0;
    this.panel.showText(this.showFigures(), diagnose(this.subject));
    if (this.isStill && !this.isCollapsed) this.graph.redraw();
  }

  private showFigures(): Shown {
    const { loop, memory, graph } = this;
    const session = workerSessionOf(this.subject);
    this.sinceFigures = 0;
    this.isStill = this.reducedMotion.matches;
    const shown = {
      values: figuresOf(loop, memory, tickOf(this.subject)),
      monitors: monitorsOf(loop),
      net: this.netFigures(),
      worker: session && workerFiguresOf(session),
    };
    this.panel.showFigures(shown);
    const display = displayOf(loop)?.info;
    const period = display?.locked ? display.period / 1e3 : measure(loop).recent.frameTime;
    if (graph.fit(devicePixelRatio, period || 1 / 60) && !this.isCollapsed) graph.redraw();
    return shown;
  }

  private netFigures(): NetFigures | undefined {
    const session = netSessionOf(this.subject);
    if (!session) return undefined;
    this.netMemory.add(session, this.time);
    return { figures: netFiguresOf(session, this.netMemory), peers: peerFiguresOf(session) };
  }
}
