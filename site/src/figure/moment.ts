import type { ChapterText } from "./chapter.js";

/** What a link to a moment says: the side of the switch, the control, what was picked to play, and the time in seconds. */
export interface Moment {
  readonly isFixed: boolean;
  readonly value: number;
  /** The code of `Picked`, if the chapter has a choice. */
  readonly pick?: string | undefined;
  readonly at: number;
}

/** The latest moment that a link can lead to: it has to be simulated first. */
const MAX_AT = 120;

export function addressOfMoment(base: string, { isFixed, value, pick, at }: Moment): string {
  const url = new URL(base);
  if (isFixed) url.searchParams.set("side", "fixed");
  url.searchParams.set("value", String(value));
  if (pick !== undefined) url.searchParams.set("pick", pick);
  if (at <= MAX_AT) url.searchParams.set("at", String(at));
  return url.href;
}

/** Reads the moment of a chapter's own page from its address. What is missing or wrong is the start. */
export function readMoment({ id, control }: ChapterText, { pathname, search } = location): Moment {
  const isOwn = pathname.replace(/\/(index\.html)?$/, "").endsWith(`/${id}`);
  const query = new URLSearchParams(isOwn ? search : "");
  const number = (name: string, min: number, max: number, fallback: number) => {
    const text = query.get(name);
    const value = text === null || text === "" ? NaN : Number(text);
    return value >= min && value <= max ? value : fallback;
  };
  return {
    isFixed: query.get("side") === "fixed",
    value: number("value", control.min, control.max, control.initial),
    pick: query.get("pick") ?? undefined,
    at: number("at", 0, MAX_AT, 0),
  };
}
