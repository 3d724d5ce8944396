const dark = matchMedia("(prefers-color-scheme: dark)");
const known = new Map<string, string>();
const listeners = new Set<() => void>();

dark.addEventListener("change", () => {
  known.clear();
  for (const listener of listeners) listener();
});

/** Colours of all experiments; and of the game's landscape. */
export type ColourName =
  | ("ink" | "muted" | "line" | "surface" | "ball" | "ring" | "good" | "bad")
  | ("sky-top" | "sky" | "sun" | "cloud" | "far" | "near" | "soil" | "turf" | "coin");

/** A colour of the style sheet, for canvases. */
export function colour(name: ColourName): string {
  let value = known.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    known.set(name, value);
  }
  return value;
}

/** Calls when the colours have changed; returns the function that ends it. */
export function onTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
