import { make } from "../dom.js";
import { LARGEST, NoTrace, readTrace, writeTrace, type Trace } from "./trace.js";

/** What is told of a file that the visitor has chosen or dropped: what it holds, or why it is no trace. */
export type OnFile = (name: string, content: Trace | NoTrace) => void;

/** Trace files, by a picker or dropped anywhere on the page. */
export class TraceFiles {
  /** What the browser's own dialogue belongs to. */
  readonly input = make("input");
  readonly #listening = new AbortController();
  readonly #onFile: OnFile;

  constructor(onFile: OnFile) {
    this.#onFile = onFile;
    const { input } = this;
    input.type = "file";
    input.accept = ".json,application/json";
    input.hidden = true;
    input.ariaLabel = "Trace file";
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

  /** Lets the browser download a trace. */
  save(trace: Trace): void {
    const address = URL.createObjectURL(new Blob([writeTrace(trace)], { type: "application/json" }));
    const link = make("a");
    link.href = address;
    link.download = "tickwise-trace.json";
    link.click();
    // Not at once: some browsers begin a little later.
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  dispose(): void {
    this.#listening.abort();
  }

  async #take(file: File | undefined): Promise<void> {
    if (!file) return this.#onFile("What was dropped", new NoTrace("it is no file"));
    const content = await read(file).catch((error: unknown) =>
      error instanceof NoTrace ? error : new NoTrace("it could not be read"),
    );
    if (!this.#listening.signal.aborted) this.#onFile(file.name, content);
  }
}

async function read(file: File): Promise<Trace> {
  if (file.size > LARGEST) throw new NoTrace(`it is larger than ${LARGEST / 1e6} MB`);
  return readTrace(await file.text());
}
