const WIDTH = 24;
const PERIOD = 100;

/** A progress bar on stderr, if that is a terminal. */
class Bar {
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #look: () => { done: number; total: number; note: string } = () => ({ done: 0, total: 1, note: "" });

  start(look: () => { done: number; total: number; note: string }): void {
    if (!process.stderr.isTTY || process.env["TERM"] === "dumb") return;
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
    if (this.#isShown) process.stderr.write("\r\x1b[K");
    this.#isShown = false;
  }

  #draw(): void {
    const { done, total, note } = this.#look();
    const full = Math.min(WIDTH, Math.floor((WIDTH * done) / Math.max(1, total)));
    const text = `${"█".repeat(full)}${"░".repeat(WIDTH - full)} ${note}`;
    process.stderr.write(`\r\x1b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
    this.#isShown = true;
  }
}

export const bar = new Bar();
