import { onTheme } from "../../../lab/src/theme/colours.js";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { copyOnClick } from "../copy.js";
import { showDisplayLine } from "../display/display-line.js";
import { Brush } from "./brush.js";
import { wholeCode, type ChapterModel, type ChapterScene, type ChapterText } from "./chapter.js";
import { addressOfMoment, modelAt, readMoment, type Turn } from "./moment.js";
import { drawStrip, STRIP_SECONDS } from "./strobe-strip.js";

/** Seconds after which a still picture shows the problem. */
const STILL = 2.5;
/** Seconds between two updates of the figures: any faster is unreadable. */
const FIGURES_EVERY = 0.2;

/** A figure of a page: the picture, the strip, the switch and the control. All elements are in the page already. */
export class FigureView {
  readonly #section: HTMLElement;
  readonly #text: ChapterText;
  readonly #scene: ChapterScene;
  readonly #picture: Brush;
  readonly #strip: Brush;
  readonly #slider: HTMLInputElement;
  readonly #output: HTMLOutputElement;
  readonly #pause: HTMLButtonElement;
  readonly #numbers: HTMLElement;
  #model: ChapterModel;
  /** The display that the figure plays on, if it is not simulated. */
  #recording: DisplayRecording | undefined;
  #time = 0;
  /** The value of the control that the model has, and those before. */
  #played: number;
  #turns: Turn[];
  #isPaused: boolean;
  /** The time that the visitor looks at; NaN for now. */
  #looked = NaN;
  #figuresIn = 0;

  constructor(section: HTMLElement, text: ChapterText, scene: ChapterScene) {
    const find = <T extends Element>(selector: string) => section.querySelector<T>(selector)!;
    this.#section = section;
    this.#text = text;
    this.#scene = scene;
    this.#picture = new Brush(find<HTMLCanvasElement>("canvas.picture").getContext("2d")!);
    this.#strip = new Brush(find<HTMLCanvasElement>("canvas.strip").getContext("2d")!);
    this.#slider = find(".dial input");
    this.#output = find(".dial output");
    this.#pause = find("[data-pause]");
    this.#numbers = find(".numbers");
    const moment = readMoment(text);
    this.#slider.value = String(moment.value);
    for (const radio of section.querySelectorAll<HTMLInputElement>(".switch input")) {
      radio.checked = (radio.value === "fixed") === moment.isFixed;
      radio.addEventListener("change", () => this.#restart());
    }
    this.#slider.addEventListener("input", () => this.#change());
    this.#pause.addEventListener("click", () => this.#setPaused(!this.#isPaused));
    find("[data-restart]").addEventListener("click", () => this.#restart());
    this.#listenToStrip(this.#strip.context.canvas);
    this.#listenToPicture(this.#picture.context.canvas);
    this.#listenToLinks();
    const sizes = new ResizeObserver(() => this.#resize());
    sizes.observe(this.#picture.context.canvas);
    sizes.observe(this.#strip.context.canvas);
    // What the slider says: it rounds the value of a link to its steps.
    this.#played = this.value;
    this.#turns = [...(moment.turns ?? [])];
    this.#isPaused = moment.at > 0 || matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (this.#isPaused) this.#time = moment.at > 0 ? moment.at : STILL;
    this.#model = modelAt(scene, { ...moment, value: this.value, at: this.#time });
    this.#showSide();
    this.#setPaused(this.#isPaused);
    onTheme(() => this.#draw());
    section.dataset["ready"] = "";
  }

  /** Whether a link has led to a moment, which is one of a simulated display. */
  get isAtMoment(): boolean {
    return readMoment(this.#text).at > 0;
  }

  /** Plays on a recorded display; undefined for the simulated one. */
  setDisplay(recording: DisplayRecording | undefined): void {
    const isPlayed = showDisplayLine(this.#section, recording);
    const own = isPlayed ? recording : undefined;
    // A link cannot hold a recording.
    const link = this.#section.querySelector<HTMLElement>("[data-copy-link]");
    if (link) link.hidden = isPlayed;
    if (own === this.#recording) return;
    this.#recording = own;
    this.#restart();
  }

  get isFixed(): boolean {
    return this.#section.querySelector<HTMLInputElement>(".switch input:checked")!.value === "fixed";
  }
  get value(): number {
    return Number(this.#slider.value);
  }

  /** Goes on by the seconds of a real frame. */
  frame(seconds: number): void {
    if (!this.#isPaused && Number.isNaN(this.#looked)) {
      // In whole microseconds, so that a link can hold the exact time.
      this.#time = Math.round((this.#time + seconds) * 1e6) / 1e6;
      this.#model.advance(this.#time);
      this.#draw();
      this.#figuresIn -= seconds;
      if (this.#figuresIn <= 0) this.#showFigures();
    }
  }

  #draw(): void {
    const { track } = this.#model;
    const frame = Number.isNaN(this.#looked) ? track.frames - 1 : track.frameAt(this.#looked);
    this.#picture.begin();
    if (frame >= 0) this.#scene.draw(this.#picture, this.#model, track.pictureOf(frame));
    this.#strip.begin();
    drawStrip(this.#strip, track, this.#time, this.#scene.range, this.#looked);
  }

  #showFigures(): void {
    this.#figuresIn = FIGURES_EVERY;
    const { unit } = this.#text.control;
    this.#output.value = `${this.value} ${unit}`.trim();
    const figures = this.#model.figures();
    if (this.#numbers.children.length !== figures.length)
      this.#numbers.replaceChildren(
        ...figures.map(() => {
          const group = document.createElement("div");
          group.append(document.createElement("dt"), document.createElement("dd"));
          return group;
        }),
      );
    figures.forEach(({ label, value, isGood }, i) => {
      const [term, description] = this.#numbers.children[i]!.children as unknown as [
        HTMLElement,
        HTMLElement,
      ];
      if (term.textContent !== label) term.textContent = label;
      if (description.textContent !== value) description.textContent = value;
      if (isGood === undefined) delete description.dataset["verdict"];
      else description.dataset["verdict"] = isGood ? "good" : "bad";
    });
  }

  #setPaused(isPaused: boolean): void {
    this.#isPaused = isPaused;
    this.#pause.textContent = isPaused ? "Play" : "Pause";
    this.#draw();
    this.#showFigures();
  }

  #change(): void {
    if (!this.#scene.change) return this.#restart();
    // Of several turns at the same time, only the last one matters.
    if (this.#turns.at(-1)?.until !== this.#time)
      this.#turns.push({ value: this.#played, until: this.#time });
    this.#played = this.value;
    this.#scene.change(this.#model, this.value);
    this.#draw();
    this.#showFigures();
  }

  #restart(): void {
    this.#model = this.#scene.create(this.isFixed, this.value, this.#model, this.#recording);
    this.#looked = NaN;
    this.#turns = [];
    this.#played = this.value;
    this.#time = this.#isPaused ? STILL : 0;
    this.#model.advance(this.#time);
    this.#showSide();
    this.#draw();
    this.#showFigures();
  }

  #showSide(): void {
    const side = this.isFixed ? "fixed" : "broken";
    this.#section.dataset["side"] = side;
    for (const code of this.#section.querySelectorAll<HTMLElement>("[data-code]"))
      code.hidden = code.dataset["code"] !== side;
  }

  /** The pointer on the strip looks back at a moment, and everything stands still. */
  #listenToStrip(canvas: HTMLCanvasElement): void {
    const look = (time: number) => {
      this.#looked = time;
      this.#draw();
    };
    const timeAt = (event: PointerEvent) => {
      const { left, width } = canvas.getBoundingClientRect();
      return this.#time - STRIP_SECONDS * (1 - Math.min(1, Math.max(0, (event.clientX - left) / width)));
    };
    canvas.addEventListener("pointermove", (event) => look(timeAt(event)));
    for (const end of ["pointerleave", "pointercancel", "blur"])
      canvas.addEventListener(end, () => look(NaN));
    canvas.addEventListener("keydown", (event) => {
      const { track } = this.#model;
      const frame = Number.isNaN(this.#looked) ? track.frames - 1 : track.frameAt(this.#looked);
      const steps = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (event.key === "Escape") look(NaN);
      if (steps === undefined) return;
      event.preventDefault();
      look(track.timeOf(Math.min(track.frames - 1, Math.max(track.firstFrame, frame + steps))));
    });
  }

  /** Says what the visitor has picked, if that has changed. */
  #say(): void {
    const status = this.#section.querySelector("[data-status]")!;
    const text = this.#model.picked?.text ?? "";
    if (status.textContent === text) return;
    status.textContent = text;
    this.#draw();
    this.#showFigures();
  }

  #listenToPicture(canvas: HTMLCanvasElement): void {
    const point = (event: PointerEvent, isDown: boolean) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      this.#model.point?.((event.clientX - left) / width, (event.clientY - top) / height, isDown, {
        width,
        height,
      });
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (this.#model.point) canvas.setPointerCapture(event.pointerId);
      point(event, true);
    });
    canvas.addEventListener("pointermove", (event) => point(event, event.buttons > 0));
    canvas.addEventListener("pointerup", (event) => {
      point(event, false);
      this.#say();
      // Visitors who play with a paused picture want to see what happens.
      if (this.#model.point && this.#isPaused) this.#setPaused(false);
    });
    canvas.addEventListener("pointercancel", (event) => point(event, false));
    this.#listenToKeys(canvas);
  }

  #listenToKeys(canvas: HTMLCanvasElement): void {
    const held = new Set<string>();
    canvas.addEventListener("keydown", (event) => {
      const { code, ctrlKey, altKey, metaKey } = event;
      if (ctrlKey || altKey || metaKey) return;
      if (held.has(code) || this.#model.key?.(code, true)) {
        event.preventDefault();
        held.add(code);
        this.#say();
      }
    });
    const release = (code: string) => {
      if (held.delete(code)) this.#model.key?.(code, false);
    };
    canvas.addEventListener("keyup", ({ code }) => {
      if (held.has(code) && this.#isPaused) this.#setPaused(false);
      release(code);
    });
    // Key-up events are lost while the picture is unfocused.
    canvas.addEventListener("blur", () => held.forEach(release));
  }

  #listenToLinks(): void {
    // A figure in a frame of another site has none of these.
    const copy = (selector: string, text: () => string) => {
      const button = this.#section.querySelector<HTMLButtonElement>(selector);
      if (button) copyOnClick(button, text);
    };
    copy("[data-copy-code]", () => wholeCode(this.#text, this.isFixed ? "fixed" : "broken"));
    copy("[data-copy-link]", () => {
      const base = new URL(this.#section.dataset["page"]!, document.baseURI).href;
      const { picked } = this.#model;
      const since = picked?.since ?? 0;
      // In whole microseconds: the difference has more digits.
      const timeOf = (time: number) => Math.round((time - since) * 1e6) / 1e6;
      const turns = this.#turns
        .filter(({ until }) => until > since)
        .map(({ value, until }) => ({ value, until: timeOf(until) }));
      return addressOfMoment(base, {
        isFixed: this.isFixed,
        value: this.value,
        pick: picked?.code,
        turns,
        at: timeOf(this.#time),
      });
    });
    copy("[data-copy-embed]", () => {
      const source = new URL(this.#section.dataset["embed"]!, document.baseURI).href;
      return `<iframe src="${source}" title="${this.#text.title}" width="100%" height="560" style="border: 0" loading="lazy"></iframe>`;
    });
  }

  #resize(): void {
    this.#picture.fit();
    this.#strip.fit();
    this.#draw();
  }
}
