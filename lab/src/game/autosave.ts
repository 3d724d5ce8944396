/** The game that is played now, and the one before it, in the page's own storage. */
const NOW = "tickwise-lab-game";
const BEFORE = "tickwise-lab-game-before";
/** Seconds between two writes. */
const EVERY = 3;

/** Keeps the recording of a game, so that it can be gone on with after the page was closed. */
export class Autosave {
  #left = EVERY;

  /** What was kept last becomes the game before: nothing is written over it until it is left again. */
  turn(): Uint8Array | undefined {
    return attempt(() => {
      const last = localStorage.getItem(NOW);
      if (last !== null) localStorage.setItem(BEFORE, last);
      localStorage.removeItem(NOW);
      const text = localStorage.getItem(BEFORE);
      return text === null ? undefined : Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    });
  }

  /** Forgets the game before. */
  forget(): void {
    attempt(() => localStorage.removeItem(BEFORE));
  }

  /** Writes what is recorded, each time that so many seconds have passed. */
  advance(seconds: number, bytes: () => Uint8Array): void {
    this.#left -= seconds;
    if (this.#left > 0) return;
    this.#left = EVERY;
    this.write(bytes());
  }

  write(bytes: Uint8Array): void {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    attempt(() => localStorage.setItem(NOW, btoa(text)));
  }
}

/** Storage may be forbidden, or full: the game goes on without. */
function attempt<T>(deed: () => T): T | undefined {
  try {
    return deed();
  } catch {
    return undefined;
  }
}
