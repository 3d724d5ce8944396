/** Longer stories would keep a visitor waiting. */
const LONGEST = 300;

/** Writes when heavy seconds began, and what time it is: `3.2h12.34`. */
export function writeMoment(heavy: readonly number[], now: number): string {
  return now > 0 && now <= LONGEST
    ? [...heavy, now].map((time) => String(Number(time.toFixed(6)))).join("h")
    : "";
}

/** Reads them, in order; what is no such text is the start. */
export function readMoment(text: string): number[] {
  if (!/^\d{1,3}(\.\d{1,6})?(h\d{1,3}(\.\d{1,6})?){0,100}$/.test(text)) return [];
  const times = text.split("h").map(Number);
  return times.every((time, index) => time >= (times[index - 1] ?? 0) && time <= LONGEST) ? times : [];
}
