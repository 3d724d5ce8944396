const cache = new Map<string, string>();
const listeners = new Set<() => void>();
let isWatched = false;

/** Watches the theme. Not before the first use, so that models of pages load in Node. */
function watch(): void {
  if (isWatched) return;
  isWatched = true;
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    cache.clear();
    for (const listener of listeners) listener();
  });
}

/** Colours of all experiments, and of the game's landscape. */
export type ColourName =
  | ("ink" | "muted" | "line" | "surface" | "ball" | "ring" | "good" | "bad" | "correction")
  | ("sky-top" | "sky" | "sun" | "cloud" | "far" | "near" | "soil" | "turf" | "coin");

/** Returns a colour of the style sheet, for canvases. */
export const colour = (name: ColourName): string => variable(name);

/** Returns a variable of the style sheet. */
export function variable(name: string): string {
  let value = cache.get(name);
  if (value === undefined) {
    watch();
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    cache.set(name, value);
  }
  return value;
}

/** Calls `listener` when the colours change. Returns the function that removes it. */
export function onTheme(listener: () => void): () => void {
  watch();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
