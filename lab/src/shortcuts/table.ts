export interface Shortcut {
  /** What a `KeyboardEvent` reports as its key, in lower case. */
  readonly key: string;
  /** The key by its place on the keyboard, where layouts differ. */
  readonly code?: string;
  readonly meaning: string;
  /** Whether a held key acts again and again. */
  readonly repeats?: true;
}

/**
 * All shortcuts of a single key, in the lab and on the site. Each key has one meaning everywhere, and none is a key
 * that moves a character: the arrow keys, W, A, S, D, Space and Enter belong to the games.
 */
export const SHORTCUTS = {
  help: { key: "?", meaning: "Show the keyboard shortcuts" },
  search: { key: "/", meaning: "Search the documentation" },
  pause: { key: "p", meaning: "Pause or resume" },
  restart: { key: "r", meaning: "Restart" },
  back: { key: ",", meaning: "One step back", repeats: true },
  next: { key: ".", meaning: "One step forward", repeats: true },
  rewind: { key: "b", meaning: "Rewind while held" },
  heavy: { key: "h", meaning: "Make the machine slow for a moment" },
  open: { key: "o", meaning: "Open a file" },
  save: { key: "e", meaning: "Save a file" },
  takeOver: { key: "t", meaning: "Take over from a replay" },
  mute: { key: "m", meaning: "Sound on or off" },
  overlay: { key: "`", code: "Backquote", meaning: "Show or hide the overlay" },
  kill: { key: "k", meaning: "Kill a player’s machine" },
  cut: { key: "c", meaning: "Cut or repair the line" },
  freeze: { key: "f", meaning: "Freeze a player’s machine" },
  plant: { key: "x", meaning: "Plant a desync" },
} as const satisfies Readonly<Record<string, Shortcut>>;

export type ShortcutName = keyof typeof SHORTCUTS;

/** The name of a key as the page shows it. */
export const keyText = (name: ShortcutName): string => SHORTCUTS[name].key.toUpperCase();
