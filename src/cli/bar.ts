const WIDTH = 24;
const PERIOD = 100;

type Look = () => { done: number; total: number; note: string };

/** A progress bar on a stream, if that is a terminal. */
export class Bar {
  readonly #stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #look: Look = () => ({ done: 0, total: 1, note: "" });

  constructor(stream: Pick<NodeJS.WriteStream, "isTTY" | "columns" | "write">) {
    this.#stream = stream;
  }

  start(look: Look): void {
    if (!this.#stream.isTTY || process.env["TERM"] === "dumb") return;
    this.#look = look;
    this.#timer = setInterval(() => this.#draw(), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.clear();
  }

  /** Makes room for a line of something else. */
  clear(): void {
    if (this.#isShown) this.#stream.write("\r\x1b[K");
    this.#isShown = false;
  }

  #draw(): void {
    const { done, total, note } = this.#look();
    const full = Math.min(WIDTH, Math.floor((WIDTH * done) / Math.max(1, total)));
    const text = `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${note}`;
    this.#stream.write(`\r\x1b[K${text.slice(0, (this.#stream.columns || 80) - 1)}`);
    this.#isShown = true;
  }
}

/** The one of this program: beside the results. */
export const bar = new Bar(process.stderr);
