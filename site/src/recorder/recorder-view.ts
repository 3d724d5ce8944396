import { download } from "../../../lab/src/files.js";
import type { FrameTimes } from "../../../lab/src/pulse.js";
import type { DisplayRecording } from "../../../lab/src/recording/recording.js";
import { onTheme } from "../../../lab/src/theme/colours.js";
import { chooseDisplay } from "../display/visit-display.js";
import { Brush } from "../figure/brush.js";
import { drawStrip } from "../figure/strobe-strip.js";
import { DisplayRecorder, SECONDS } from "./display-recorder.js";
import { CYCLE, trackOf, worstEnd } from "./display-track.js";

/** Seconds between two pictures while it records: drawing must not disturb what is recorded. */
const DRAW_EVERY = 0.25;
/** Seconds after which there is something to show. */
const FIRST = 1.5;

/** The recorder of the page. All elements are in the page already. */
export class RecorderView {
  readonly #strip: Brush;
  readonly #record: HTMLButtonElement;
  readonly #use: HTMLButtonElement;
  readonly #save: HTMLButtonElement;
  readonly #next: HTMLElement;
  readonly #status: HTMLElement;
  readonly #slider: HTMLInputElement;
  readonly #numbers: readonly HTMLElement[];
  #recorder: DisplayRecorder | undefined;
  #recording: DisplayRecording | undefined;
  #drawIn = 0;

  constructor(section: HTMLElement) {
    const find = <T extends Element>(selector: string) => section.querySelector<T>(selector)!;
    this.#strip = new Brush(find<HTMLCanvasElement>("canvas.strip").getContext("2d")!);
    this.#record = find("[data-record]");
    this.#use = find("[data-use]");
    this.#save = find("[data-save]");
    this.#next = find("[data-next]");
    this.#status = find("[role=status]");
    this.#slider = find(".dial input");
    this.#numbers = [...section.querySelectorAll<HTMLElement>(".numbers dd")];
    this.#record.disabled = false;
    this.#record.addEventListener("click", () => this.#toggle());
    this.#use.addEventListener("click", () => chooseDisplay(this.#recording));
    this.#save.addEventListener("click", () => {
      if (this.#recording) download("tickwise-display.json", this.#recording.text, "application/json");
    });
    this.#slider.addEventListener("input", () => this.#draw());
    onTheme(() => this.#draw());
    new ResizeObserver(() => {
      this.#strip.fit();
      this.#draw();
    }).observe(this.#strip.context.canvas);
    section.dataset["ready"] = "";
  }

  /** Takes a real frame. */
  frame(seconds: number, times: FrameTimes): void {
    const recorder = this.#recorder;
    if (!recorder) return;
    recorder.add(times);
    this.#drawIn -= seconds;
    if (this.#drawIn > 0 && !recorder.isComplete) return;
    this.#drawIn = DRAW_EVERY;
    const left = Math.ceil(SECONDS - recorder.seconds);
    this.#say(
      recorder.restarts > 0
        ? `The page was hidden or busy, so the recording started again. Keep the page visible for ${left} s.`
        : `Recording. Keep the page visible for ${left} s.`,
    );
    if (recorder.isComplete || recorder.seconds > FIRST) this.#take(recorder);
  }

  /** Shows what has been recorded so far, or all of it. */
  #take(recorder: DisplayRecorder): void {
    try {
      this.#recording = recorder.recording(navigator.userAgent);
    } catch (error) {
      return this.#stop(`The recording cannot be used: ${(error as Error).message}.`);
    }
    if (!recorder.isComplete) return this.#show(this.#recording, recorder.seconds);
    this.#stop("Recorded. The strip shows the longest frame; the slider shows the others.");
    this.#show(this.#recording, worstEnd(this.#recording));
  }

  /** Shows a recording that the visitor has chosen for all figures; undefined if none is chosen any more. */
  show(recording: DisplayRecording | undefined): void {
    const isOwn = recording !== undefined && recording === this.#recording;
    this.#next.hidden = recording === undefined;
    this.#use.hidden = true;
    if (!recording) return this.#stop("Figures play on simulated displays.");
    this.#recording = recording;
    this.#stop("All figures with a display play on this recording until you close the tab.");
    if (!isOwn) this.#show(recording, worstEnd(recording));
  }

  #toggle(): void {
    if (this.#recorder) return this.#stop("Stopped. Nothing was recorded.");
    this.#recorder = new DisplayRecorder();
    this.#recording = undefined;
    this.#drawIn = 0;
    for (const number of this.#numbers) number.textContent = "–";
    this.#next.hidden = true;
    this.#showButtons();
    this.#draw();
  }

  #stop(text: string): void {
    if (this.#recorder && !this.#recorder.isComplete) this.#recording = undefined;
    this.#recorder = undefined;
    this.#say(text);
    this.#showButtons();
  }

  #showButtons(): void {
    const isRecording = this.#recorder !== undefined;
    const has = this.#recording !== undefined && !isRecording;
    this.#record.textContent = isRecording ? "Stop" : `Record ${SECONDS} seconds`;
    this.#save.hidden = !has;
    this.#use.hidden = !has || !this.#next.hidden;
    this.#slider.closest<HTMLElement>(".dial")!.hidden = !has;
  }

  #show(recording: DisplayRecording, end: number): void {
    const { frames, hertz, uneven, missed, refreshes } = recording;
    const texts = [hertz, `${uneven.toFixed(2)} ms`, `${missed} of ${refreshes}`];
    this.#numbers.forEach((number, i) => (number.textContent = texts[i]!));
    const length = (frames.at(-1)!.stamp - frames[0]!.stamp) / 1000;
    this.#slider.max = length.toFixed(2);
    this.#slider.value = String(end);
    this.#draw(end);
  }

  /** Draws the strip up to a time, in seconds. */
  #draw(end = Number(this.#slider.value)): void {
    this.#strip.begin();
    if (this.#recording) drawStrip(this.#strip, trackOf(this.#recording, end), end, [-1, CYCLE], NaN);
  }

  #say(text: string): void {
    if (this.#status.textContent !== text) this.#status.textContent = text;
  }
}
