/** Something that happened since the start: a number of frames, a stall, or a manual step. */
export type LoopEvent = number | "stall" | "step";

/** Longest link, as it has to be simulated when opened: about twenty minutes at 60 frames per second. */
const MAX_FRAMES = 72_000;

/** Encodes events for a link: `120s80n2` is 120 frames, a stall, 80 frames, a manual step, 2 frames. "" if too long. */
export function writeMoment(events: readonly LoopEvent[]): string {
  const frames = events.reduce<number>((sum, event) => sum + (typeof event === "number" ? event : 0), 0);
  if (frames > MAX_FRAMES) return "";
  return events.map((event) => (event === "stall" ? "s" : event === "step" ? "n" : event)).join("");
}

/** Decodes events. Invalid text gives none, which is the start. */
export function readMoment(text: string): LoopEvent[] {
  if (!/^(\d{1,5}|[sn]){1,500}$/.test(text)) return [];
  const events = [...text.matchAll(/\d+|s|n/g)].map(([part]) =>
    part === "s" ? "stall" : part === "n" ? "step" : Number(part),
  );
  return writeMoment(events) ? events : [];
}
