/** Characters. */
const WIDTH = 24;
/** Milliseconds between two frames. */
const PERIOD = 100;

type Progress = () => { done: number; total: number; note: string };

/** A progress bar, shown only on a terminal. */
export class Bar {
  readonly #stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #progress: Progress = () => ({ done: 0, total: 1, note: "" });

  constructor(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">) {
    this.#stream = stream;
  }

  start(progress: Progress): void {
    if (!this.#stream.isTTY || process.env["TERM"] === "dumb") return;
    this.#progress = progress;
    this.#timer = setInterval(() => this.#draw(), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  /** Removes the bar before another line is printed. It comes back by itself. */
  clear(): void {
    if (this.#isShown) this.#stream.write("\r\x1b[K");
    this.#isShown = false;
  }

  #draw(): void {
    const { done, total, note } = this.#progress();
    const full = Math.min(WIDTH, Math.floor((WIDTH * done) / Math.max(1, total)));
    const text = `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${note}`;
    this.#stream.write(`\r\x1b[K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
    this.#isShown = true;
  }
}

/** The progress bar of this program. */
export const bar = new Bar(process.stderr);
