/** localStorage keys: the current game, and the one before it. */
const CURRENT = "tickwise-lab-game";
const PREVIOUS = "tickwise-lab-game-before";
/** Seconds between two writes. */
const INTERVAL = 3;

/** Stores the recording of a game in the browser, so that a visitor can continue it after closing the page. */
export class Autosave {
  #left = INTERVAL;

  /** Moves the stored game to the previous slot, which nothing overwrites until the next rotation; returns its bytes. */
  rotate(): Uint8Array | undefined {
    return attempt(() => {
      const last = localStorage.getItem(CURRENT);
      if (last !== null) localStorage.setItem(PREVIOUS, last);
      localStorage.removeItem(CURRENT);
      const text = localStorage.getItem(PREVIOUS);
      return text === null ? undefined : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    });
  }

  /** Deletes the previous game. */
  deletePrevious(): void {
    attempt(() => localStorage.removeItem(PREVIOUS));
  }

  /** Writes the recording every few seconds. */
  advance(seconds: number, bytes: () => Uint8Array): void {
    this.#left -= seconds;
    if (this.#left > 0) return;
    this.#left = INTERVAL;
    this.write(bytes());
  }

  write(bytes: Uint8Array): void {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    attempt(() => localStorage.setItem(CURRENT, btoa(text)));
  }
}

/** Ignores errors: storage may be blocked or full, and the game works without it. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
