/** sessionStorage key: it survives a reload, but another tab has its own. */
const KEY = "tickwise-lab-friend";

/** What a page remembers when it is reloaded. */
export interface Remembered {
  /** Who gives it gets the seat back. */
  readonly token: string;
  readonly name: string;
  /** Whether a friend has joined this page's game. It may go on in the friend's page. */
  readonly isHosting: boolean;
  /** The offer that this page has joined. It cannot be used again. */
  readonly usedOffer: string;
}

const NOTHING = { token: "", name: "", isHosting: false, usedOffer: "" };

export function recall(): Remembered {
  const token = crypto.randomUUID();
  try {
    const found = JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Partial<Remembered>;
    return { ...NOTHING, token, ...found };
  } catch {
    return { ...NOTHING, token };
  }
}

export function remember(memory: Remembered): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // Storage may be blocked. Then a reload forgets the seat.
  }
}
