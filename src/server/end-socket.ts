/** The most bytes that the reason of a close may have. */
const MAX_REASON = 123;
/** Milliseconds in which a client must answer a close. */
const CLOSE_WITHIN = 3000;
/** The same for a client that broke a limit: enough to receive the close. */
const LIMIT_CLOSE_WITHIN = 500;

/** The part of a socket of `ws` that ends it. */
export interface EndableSocket {
  /** 3: it is closed. */
  readonly readyState: number;
  terminate(): void;
  pause(): void;
  on(event: "close" | "error" | "ping", listener: () => void): void;
}

/** Ends the connection of a client that does not answer a close in time. */
export function expectClose(socket: EndableSocket, milliseconds = CLOSE_WITHIN): void {
  const timer = setTimeout(() => socket.terminate(), milliseconds);
  timer.unref();
  socket.on("close", () => clearTimeout(timer));
}

/**
 * Stops reading from a client that broke a limit. ws would read on until the client closes its side: megabytes that nobody needs, and
 * that make the process collect garbage.
 */
export function stopReading(socket: EndableSocket): void {
  expectClose(socket, LIMIT_CLOSE_WITHIN);
  // Later, as ws resumes reading right after an error.
  setImmediate(() => socket.pause());
}

const encoder = new TextEncoder();
const scratch = new Uint8Array(MAX_REASON);

/** Cuts a reason to the bytes that a close may have. */
export const closeReason = (text: string): string => text.slice(0, encoder.encodeInto(text, scratch).read);
