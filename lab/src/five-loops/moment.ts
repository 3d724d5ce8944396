/** What has happened since the start: so many frames, a stall, a step by hand. */
export type Happening = number | "stall" | "step";

/** Longer stories would keep a visitor waiting: about twenty minutes at 60 frames a second. */
const MOST_FRAMES = 72_000;

/** Writes them short: `120s80n2` is 120 frames, a stall, 80 frames, the next step, 2 frames. */
export function writeMoment(events: readonly Happening[]): string {
  const frames = events.reduce<number>((sum, event) => sum + (typeof event === "number" ? event : 0), 0);
  if (frames > MOST_FRAMES) return "";
  return events.map((event) => (event === "stall" ? "s" : event === "step" ? "n" : event)).join("");
}

/** Reads them; what is no such text is the start. */
export function readMoment(text: string): Happening[] {
  if (!/^(\d{1,5}|[sn]){1,500}$/.test(text)) return [];
  const events = [...text.matchAll(/\d+|s|n/g)].map(([part]) =>
    part === "s" ? "stall" : part === "n" ? "step" : Number(part),
  );
  return writeMoment(events) ? events : [];
}
