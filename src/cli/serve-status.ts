// What a running server prints: figures once per second, and its log.
import type { LogEntry, ServerStats } from "../server/index.js";
import { escaped } from "./escape.js";
import { count, printJson } from "./screen.js";

/** Milliseconds between two lines. */
const PERIOD = 1000;
const CLEAR_LINE = "\r\x1b[K";

/** Prints the figures of a server once per second: on a terminal in one line, which is written again and again; or as JSON. */
export class ServeStatus {
  readonly #isJson: boolean;
  readonly #isTerminal: boolean;
  #timer: NodeJS.Timeout | undefined;
  #isShown = false;
  #last: ServerStats | undefined;
  #lastAt = 0;

  constructor(isJson: boolean) {
    this.#isJson = isJson;
    this.#isTerminal = !isJson && process.stdout.isTTY === true && process.env["TERM"] !== "dumb";
  }

  start(stats: () => ServerStats): void {
    if (!this.#isJson && !this.#isTerminal) return;
    this.#last = stats();
    this.#lastAt = performance.now();
    this.#timer = setInterval(() => this.#print(stats()), PERIOD);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#clear();
  }

  #print(stats: ServerStats): void {
    const now = performance.now();
    const seconds = (now - this.#lastAt) / 1000;
    const last = this.#last!;
    const lateTicks = Math.max(0, stats.lateTicks - last.lateTicks);
    const bytes = Math.max(0, stats.bytesIn - last.bytesIn + stats.bytesOut - last.bytesOut);
    const mbitPerSecond = (bytes * 8) / 1e6 / seconds;
    this.#last = stats;
    this.#lastAt = now;
    if (this.#isJson) return printJson({ ...stats, mbitPerSecond });
    const parts = [
      count(stats.rooms, "room"),
      count(stats.players, "player"),
      ...(stats.watchers > 0 ? [`${stats.watchers} watching`] : []),
      count(lateTicks, "late tick"),
      `${mbitPerSecond.toFixed(2)} Mbit/s`,
      ...(stats.workers > 1 ? [count(stats.workers, "worker")] : []),
      ...(stats.overloaded === 0
        ? []
        : stats.overloaded < stats.workers
          ? [`${stats.overloaded} of them overloaded`]
          : ["overloaded: takes no new rooms"]),
      ...(stats.isDraining ? ["stopping"] : []),
    ];
    process.stdout.write(`${CLEAR_LINE}${parts.join(" · ").slice(0, (process.stdout.columns || 80) - 1)}`);
    this.#isShown = true;
  }

  #clear(): void {
    if (this.#isShown) process.stdout.write(CLEAR_LINE);
    this.#isShown = false;
  }

  /** Writes an entry of the log to stderr: for a person on a terminal, as JSON otherwise. */
  readonly log = (entry: LogEntry): void => {
    this.#clear();
    if (this.#isJson || process.stderr.isTTY !== true) {
      process.stderr.write(`${JSON.stringify(entry)}\n`);
      return;
    }
    const { time, level, event, ...details } = entry;
    const rest = Object.entries(details).map(([name, value]) => `${name} ${escaped(String(value))}`);
    const mark = level === "info" ? "" : `${level}: `;
    process.stderr.write(
      `${time.slice(11, 19)} ${mark}${event}${rest.length > 0 ? ` (${rest.join(", ")})` : ""}\n`,
    );
  };
}
