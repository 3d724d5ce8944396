/** Where the recording of a visit is kept: in this tab, until it is closed. */
const KEY = "tickwise-display";

/** Returns the text of the trace file that is kept; undefined if there is none. */
export function keptText(): string | undefined {
  try {
    return sessionStorage.getItem(KEY) ?? undefined;
  } catch {
    // A browser may forbid storage, above all in frames of other sites.
    return undefined;
  }
}

/** Keeps the text of a trace file for the visit; undefined forgets it. If the browser forbids that, it lasts as long as the page. */
export function keepText(text: string | undefined): void {
  try {
    if (text === undefined) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, text);
  } catch {
    // Forbidden, or full.
  }
}
