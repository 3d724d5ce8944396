/** Latest moment that a link can lead to, in seconds: it has to be simulated first. */
const MAX_MOMENT = 300;

/** Encodes the start times of heavy seconds and the current time: `3.2h12.34`. "" if too late. */
export function writeMoment(heavy: readonly number[], now: number): string {
  return now > 0 && now <= MAX_MOMENT
    ? [...heavy, now].map((time) => String(Number(time.toFixed(6)))).join("h")
    : "";
}

/** Decodes them, in order. Invalid text gives none, which is the start. */
export function readMoment(text: string): number[] {
  if (!/^\d{1,3}(\.\d{1,6})?(h\d{1,3}(\.\d{1,6})?){0,100}$/.test(text)) return [];
  const times = text.split("h").map(Number);
  return times.every((time, index) => time >= (times[index - 1] ?? 0) && time <= MAX_MOMENT) ? times : [];
}
