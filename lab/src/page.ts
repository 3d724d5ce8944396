import { writeAddress, type Settings, type Values } from "./address.js";
import { showAddress } from "./address-bar.js";
import { Controls, type Action } from "./controls.js";
import { links, make } from "./dom.js";
import { figurePace, stateOf, wantsStillness, type Experiment } from "./experiment.js";
import type { Beat } from "./pulse.js";

/** Something on a page that must be ended with it. */
interface Part {
  readonly element: HTMLElement;
  dispose(): void;
}

/** What an experiment says of itself, and what it does when it is asked. */
export interface PageOptions<S extends Settings> {
  /** Its name in the address, and on the page. */
  readonly id: string;
  readonly title: string;
  /** What there is to be seen, in one sentence; then, what it is that one sees. */
  readonly lesson: string;
  readonly about: readonly (Node | string)[];
  /** Settings worth a try, each by a few words. */
  readonly tries: readonly (readonly [string, Partial<Values<S>>])[];
  /** What the figures mean. */
  readonly terms?: Readonly<Record<string, string>>;
  readonly settings: S;
  readonly values: Values<S>;
  /** What stands side by side, in the class of its layout, and what stands above it. */
  readonly parts: readonly Part[];
  readonly layout?: string;
  readonly above?: readonly Node[];
  /** What can be done, besides pausing and beginning again. */
  readonly actions: readonly Action[];
  /** How the button is called that begins it again, and its key. Default: Restart, R. */
  readonly anew?: { readonly label: string; readonly key: string };
  /** Whether a link has led to a moment of it, which is then shown standing. */
  readonly isPast: boolean;
  /** Begins again, with the values as they are now; if it is for one that was changed, that one is told; "" for all. */
  restart(changed?: string): void;
  /** Lets so many real seconds pass, up to this frame; says whether the picture is another. */
  advance(seconds: number, frame: Beat): boolean;
  drawPicture(): void;
  /** Draws the figures, and says where it stands. */
  drawFigures(): string;
  /** Whether there is nothing more to come. */
  isDone?(): boolean;
  /** This moment, for a link; empty if none can lead there. */
  moment(): string;
}

/** What all experiments have in common: their text, controls, address, pause, and when what is drawn. */
export class Page<S extends Settings> implements Experiment {
  readonly element: HTMLElement;
  readonly controls: Controls;
  #paused: boolean;
  readonly #options: PageOptions<S>;
  readonly #figuresDue = figurePace();

  constructor(options: PageOptions<S>) {
    this.#options = options;
    this.#paused = options.isPast || wantsStillness();
    this.controls = new Controls([
      ...options.actions,
      { id: "pause", label: "Pause", key: "p", run: () => this.setPaused(!this.#paused) },
      { id: "restart", label: "Restart", key: "r", ...options.anew, run: () => this.#restart() },
    ]);
    this.controls.addSettings(options.settings, options.values, (name = "") => this.#restart(name));
    const { id, title, lesson, about, tries, above = [], parts, layout = "", terms } = options;
    const intro = make(
      "div",
      "intro",
      make("h2", "visually-hidden", title),
      make("p", "lesson", lesson),
      make("p", "", ...about),
      links(
        "Try",
        id,
        tries.map(([text, values]) => [text, { ...initialOf(options.settings), ...values }]),
      ),
    );
    const lanes = make("div", `lanes ${layout}`.trim(), ...above, ...parts.map(({ element }) => element));
    this.element = make("div", "experiment", intro, this.controls.element, lanes);
    if (terms) this.element.append(legend(terms));
  }

  get paused(): boolean {
    return this.#paused;
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    const where = this.refresh();
    this.controls.announce(paused ? `Paused: ${where}.` : "Running.");
  }

  /** Shows all that an action has changed, and where a link leads; says where it stands. */
  refresh(): string {
    const { id, values, moment, drawPicture } = this.#options;
    this.controls.setLabel("pause", this.#paused ? "Resume" : "Pause");
    showAddress(writeAddress(id, values, this.#paused ? moment() : ""));
    drawPicture();
    return this.#drawFigures();
  }

  advance(seconds: number, frame: Beat): void {
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
    const where = this.#options.drawFigures();
    const state = this.#options.isDone?.() ? "Done" : stateOf(this.#paused);
    this.controls.status = `${state} · ${where}`;
    return where;
  }
}

const initialOf = (settings: Settings) =>
  Object.fromEntries(Object.entries(settings).map(([name, { initial }]) => [name, initial]));

function legend(terms: Readonly<Record<string, string>>): HTMLElement {
  const list = make("dl", "legend");
  for (const [term, text] of Object.entries(terms))
    list.append(make("div", "", make("dt", "", term), make("dd", "", text)));
  return make("details", "about", make("summary", "", "What the figures mean"), list);
}
