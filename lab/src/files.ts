import { make } from "./dom.js";

export interface FileKind {
  /** The endings and types that the browser's dialogue offers. */
  readonly accept: string;
  /** What such a file is called, for who cannot see. */
  readonly label: string;
}

/** A file that the visitor has chosen or dropped anywhere on the page; undefined if what was dropped is none. */
export type OnFile = (file: File | undefined) => unknown;

/** Files by a picker, or dropped anywhere on the page. */
export class FilePicker {
  /** What the browser's own dialogue belongs to. */
  readonly input = make("input");
  readonly #listening = new AbortController();

  constructor({ accept, label }: FileKind, onFile: OnFile) {
    const { input } = this;
    input.type = "file";
    input.accept = accept;
    input.hidden = true;
    input.ariaLabel = label;
    input.addEventListener("change", () => {
      const file = input.files?.[0];
      // The same file may be chosen again, after it was changed.
      input.value = "";
      if (file) void onFile(file);
    });
    const { signal } = this.#listening;
    document.addEventListener("dragover", (event) => event.preventDefault(), { signal });
    document.addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        void onFile(event.dataTransfer?.files[0]);
      },
      { signal },
    );
  }

  /** Nothing that is read after it matters any more. */
  get isOver(): boolean {
    return this.#listening.signal.aborted;
  }

  open(): void {
    this.input.click();
  }

  dispose(): void {
    this.#listening.abort();
  }
}

/** Lets the browser download a file. */
export function download(name: string, content: string | Uint8Array, type: string): void {
  const address = URL.createObjectURL(new Blob([content as string | Uint8Array<ArrayBuffer>], { type }));
  const link = make("a");
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers begin a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
