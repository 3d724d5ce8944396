import { make } from "../dom.js";

/** Larger ones are no replays of this game. */
const LARGEST = 32e6;

/** Replay files: by a picker, or dropped anywhere on the page; and downloads. */
export class ReplayFiles {
  /** What the browser's own dialogue belongs to. */
  readonly input = make("input");
  readonly #listening = new AbortController();
  readonly #onFile: (name: string, bytes: Uint8Array) => void;
  readonly #onTrouble: (text: string) => void;

  constructor(onFile: (name: string, bytes: Uint8Array) => void, onTrouble: (text: string) => void) {
    this.#onFile = onFile;
    this.#onTrouble = onTrouble;
    const { input } = this;
    input.type = "file";
    input.accept = ".twr";
    input.hidden = true;
    input.ariaLabel = "Replay file";
    input.addEventListener("change", () => {
      void this.#take(input.files?.[0]);
      // The same file may be chosen again, after it was changed.
      input.value = "";
    });
    const { signal } = this.#listening;
    document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    document.addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        void this.#take(event.dataTransfer?.files[0]);
      },
      { signal },
    );
  }

  open(): void {
    this.input.click();
  }

  /** Lets the browser download a replay. */
  save(bytes: Uint8Array, name: string): void {
    const blob = new Blob([bytes as Uint8Array<ArrayBuffer>], { type: "application/octet-stream" });
    const address = URL.createObjectURL(blob);
    const link = make("a");
    link.href = address;
    link.download = name;
    link.click();
    // Not at once: some browsers begin a little later.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  dispose(): void {
    this.#listening.abort();
  }

  async #take(file: File | undefined): Promise<void> {
    if (!file) return this.#onTrouble("What was dropped is no file.");
    if (file.size > LARGEST) return this.#onTrouble(`${file.name} is larger than ${LARGEST / 1e6} MB.`);
    const buffer = await file.arrayBuffer().catch(() => undefined);
    if (this.#listening.signal.aborted) return;
    if (buffer) this.#onFile(file.name, new Uint8Array(buffer));
    else this.#onTrouble(`${file.name} could not be read.`);
  }
}
