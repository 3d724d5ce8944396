import { writeAddress, type Settings, type Values } from "./address.js";
import { showAddress } from "./address-bar.js";
import { Controls, type Action } from "./controls.js";
import { links, make } from "./dom.js";
import { figureTimer, prefersReducedMotion, runningText, type Experiment } from "./experiment.js";
import type { FrameTimes } from "./pulse.js";

/** A part of a page, disposed with it. */
interface Part {
  readonly element: HTMLElement;
  dispose(): void;
}

/** An experiment's texts, settings and callbacks. */
export interface PageOptions<S extends Settings> {
  /** The name in the address, and the heading on the page. */
  readonly id: string;
  readonly title: string;
  /** The takeaway in one sentence, then an explanation of what is on screen. */
  readonly lesson: string;
  readonly about: readonly (Node | string)[];
  /** Settings worth trying, each with a short label. */
  readonly presets: readonly (readonly [string, Partial<Values<S>>])[];
  /** Explanations of the figures. */
  readonly terms?: Readonly<Record<string, string>>;
  readonly settings: S;
  readonly values: Values<S>;
  /** The panels side by side, the CSS class of their layout, and the elements above them. */
  readonly parts: readonly Part[];
  readonly layout?: string;
  readonly above?: readonly Node[];
  /** Actions besides pause and restart. */
  readonly actions: readonly Action[];
  /** Label of the restart button. Default: Restart. */
  readonly restartLabel?: string;
  /** Whether to start paused, because a link leads to a certain moment. */
  readonly startsPaused: boolean;
  /** Restarts with the current values. `changed` names the setting that caused it ("" for all); undefined for the button. */
  restart(changed?: string): void;
  /** Advances by real seconds, up to this frame. Returns whether the picture has changed. */
  advance(seconds: number, frame: FrameTimes): boolean;
  drawPicture(): void;
  /** Updates the figures; returns the text for the status line. */
  drawFigures(): string;
  /** Whether the experiment has finished. */
  isDone?(): boolean;
  /** The current moment for a link; "" if no link can lead there. */
  moment(): string;
}

/** What all experiments share: texts, controls, address, pausing and drawing. */
export class Page<S extends Settings> implements Experiment {
  readonly element: HTMLElement;
  readonly controls: Controls;
  #paused: boolean;
  readonly #options: PageOptions<S>;
  readonly #figuresDue = figureTimer();

  constructor(options: PageOptions<S>) {
    this.#options = options;
    this.#paused = options.startsPaused || prefersReducedMotion();
    this.controls = new Controls([
      ...options.actions,
      { id: "pause", label: "Pause", shortcut: "pause", run: () => this.setPaused(!this.#paused) },
      {
        id: "restart",
        label: options.restartLabel ?? "Restart",
        shortcut: "restart",
        run: () => this.#restart(),
      },
    ]);
    this.controls.addSettings(options.settings, options.values, (name = "") => this.#restart(name));
    const { id, title, lesson, about, presets, above = [], parts, layout = "", terms } = options;
    const intro = make("div", "intro", make("h2", "visually-hidden", title), make("p", "lesson", lesson));
    const more = make(
      "div",
      "more",
      make("p", "", ...about),
      " ",
      links(
        "Try",
        id,
        presets.map(([text, values]) => [text, { ...initialOf(options.settings), ...values }]),
      ),
    );
    // The picture comes first: a phone shows it without scrolling.
    const lanes = make("div", `lanes ${layout}`.trim(), ...above, ...parts.map(({ element }) => element));
    const side = make("div", "side", this.controls.element, more);
    this.element = make("div", "experiment", intro, lanes, side);
    if (terms) this.element.append(legend(terms));
  }

  get paused(): boolean {
    return this.#paused;
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    const status = this.refresh();
    this.controls.announce(paused ? `Paused: ${status}.` : "Running.");
  }

  /** Redraws everything and updates the address, after an action. Returns the status text. */
  refresh(): string {
    const { id, values, moment, drawPicture } = this.#options;
    this.controls.setLabel("pause", this.#paused ? "Resume" : "Pause");
    showAddress(writeAddress(id, values, this.#paused ? moment() : ""));
    drawPicture();
    return this.#drawFigures();
  }

  advance(seconds: number, frame: FrameTimes): void {
    if (this.#paused) return;
    if (this.#options.advance(seconds, frame)) this.#options.drawPicture();
    if (this.#figuresDue(seconds)) this.#drawFigures();
  }

  dispose(): void {
    this.controls.dispose();
    for (const part of this.#options.parts) part.dispose();
  }

  #restart(changed?: string): void {
    this.#options.restart(changed);
    this.refresh();
  }

  #drawFigures(): string {
    const status = this.#options.drawFigures();
    const state = this.#options.isDone?.() ? "Done" : runningText(this.#paused);
    this.controls.status = `${state} · ${status}`;
    return status;
  }
}

const initialOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, { initial }]) => [name, initial]));

function legend(terms: Readonly<Record<string, string>>): HTMLElement {
  const list = make("dl", "legend");
  for (const [term, text] of Object.entries(terms))
    list.append(make("div", "", make("dt", "", term), " ", make("dd", "", text)), " ");
  return make("details", "about", make("summary", "", "What the figures mean"), list);
}
