const dark = matchMedia("(prefers-color-scheme: dark)");
const known = new Map<string, string>();
const listeners = new Set<() => void>();

dark.addEventListener("change", () => {
  known.clear();
  for (const listener of listeners) listener();
});

/** A colour of the style sheet, for canvases. */
export function colour(
  name: "ink" | "muted" | "line" | "surface" | "ball" | "ring" | "good" | "bad",
): string {
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
