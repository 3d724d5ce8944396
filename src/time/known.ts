import { nearest } from "./nearest.js";
import { refuse } from "./refuse.js";

/** Options of these names alone, or an error: one that is misspelt would be left out silently. */
export function requireKnown(call: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options))
    if (!names.includes(name))
      refuse(
        `${call}: an option`,
        `one of ${names.join(", ")}`,
        name,
        nearest(name, names) ?? "to leave it out",
      );
}
