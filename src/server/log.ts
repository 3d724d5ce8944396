/** How important an entry is. */
export type LogLevel = "info" | "warn" | "error";

/** An entry of a server's log, for machines: `JSON.stringify` writes it as one line. */
export interface LogEntry {
  /** When it happened, as in `2026-01-31T12:00:00.000Z`. */
  readonly time: string;
  /** How important it is. */
  readonly level: LogLevel;
  /** What happened, in one or two words that stay the same: `"room created"`. */
  readonly event: string;
  /** The public name of the room, which lets nobody in. */
  readonly room?: string | undefined;
  /** More figures and texts about it. */
  readonly [detail: string]: string | number | boolean | undefined;
}

/** More about an entry. */
type LogDetails = Readonly<Record<string, string | number | boolean | undefined>>;

/** Writes a log. */
export type Log = (level: LogLevel, event: string, details?: LogDetails) => void;

/** Returns what writes a log through `write`. A `write` that throws does not stop the server. */
export function logTo(write: (entry: LogEntry) => void, wall: () => number): Log {
  return (level, event, details = {}) => {
    try {
      write({ time: new Date(wall()).toISOString(), level, event, ...details });
    } catch {
      // The log is full or closed: the games go on.
    }
  };
}

/** An error for the log: with the first lines of its stack, to find the place in the game. */
export function textOf(error: unknown): string {
  try {
    const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
    return text.split("\n").slice(0, 4).join("\n");
  } catch {
    // A game may throw anything, such as an object without a prototype.
    return "an error that cannot be shown";
  }
}
