import { make } from "./dom.js";

export interface FileKind {
  /** File extensions and types offered by the browser's dialog. */
  readonly accept: string;
  /** Accessible label of the file input. */
  readonly label: string;
}

/** Called with the file that the visitor chose or dropped; undefined if the dropped item is not a file. */
export type OnFile = (file: File | undefined) => unknown;

/** Takes files from a file dialog, or dropped anywhere on the page. */
export class FilePicker {
  /** The hidden input that opens the browser's dialog. */
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
      // Allows choosing the same file again after it has changed.
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

  get isDisposed(): boolean {
    return this.#listening.signal.aborted;
  }

  open(): void {
    this.input.click();
  }

  dispose(): void {
    this.#listening.abort();
  }
}

/** Downloads a file. */
export function download(name: string, content: string | Uint8Array, type: string): void {
  const address = URL.createObjectURL(new Blob([content as string | Uint8Array<ArrayBuffer>], { type }));
  const link = make("a");
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers start the download a little later.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
