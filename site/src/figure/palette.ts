const NAMES = [
  "page",
  "surface",
  "ink",
  "muted",
  "line",
  "simulated",
  "truth",
  "wrong",
  "correction",
  "verdict",
] as const;

export type Colour = (typeof NAMES)[number];

const dark = matchMedia("(prefers-color-scheme: dark)");
let current: Readonly<Record<Colour, string>> | undefined;
dark.addEventListener("change", () => (current = undefined));

/** The colours of the theme, from the style sheet. */
export function palette(): Readonly<Record<Colour, string>> {
  if (!current) {
    const style = getComputedStyle(document.documentElement);
    current = Object.fromEntries(
      NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
    ) as Record<Colour, string>;
  }
  return current;
}
