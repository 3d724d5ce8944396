import type { ChapterModel, ChapterScene, ChapterText } from "./chapter.js";

/** An earlier value of the control, and the time in seconds at which it was changed. */
export interface Turn {
  readonly value: number;
  readonly until: number;
}

/** What a link to a moment says: the side of the switch, the control, what was picked to play, and the time in seconds. */
export interface Moment {
  readonly isFixed: boolean;
  readonly value: number;
  /** The code of `Picked`, if the chapter has a choice. */
  readonly pick?: string | undefined;
  /** Earlier values of the control, if it was changed while the figure ran. */
  readonly turns?: readonly Turn[];
  readonly at: number;
}

/** The latest moment that a link can lead to: it has to be simulated first. */
const MAX_AT = 120;
/** The most turns in a link: longer addresses do not work everywhere. */
const MAX_TURNS = 100;

export function addressOfMoment(base: string, { isFixed, value, pick, turns = [], at }: Moment): string {
  const url = new URL(base);
  if (isFixed) url.searchParams.set("side", "fixed");
  url.searchParams.set("value", String(value));
  if (pick !== undefined) url.searchParams.set("pick", pick);
  if (at > MAX_AT) return url.href;
  const last = turns.slice(-MAX_TURNS).map((turn) => `${turn.value}_${turn.until}`);
  if (last.length > 0) url.searchParams.set("turns", last.join("~"));
  url.searchParams.set("at", String(at));
  return url.href;
}

/** Reads turns. Those that are wrong, or not in order, are none. */
function readTurns(text: string | null, { min, max }: ChapterText["control"], at: number): readonly Turn[] {
  if (text === null) return [];
  const turns = text.split("~").map((turn) => {
    const [value = NaN, until = NaN] = turn.split("_").map((part) => (part === "" ? NaN : Number(part)));
    return { value, until };
  });
  let before = 0;
  const isValid = turns.every(({ value, until }) => {
    const isNext = value >= min && value <= max && until >= before && until <= at;
    before = until;
    return isNext;
  });
  return isValid && turns.length <= MAX_TURNS ? turns : [];
}

/** Reads the moment of a chapter's own page from its address. What is missing or wrong is the start. */
export function readMoment(
  { id, control }: ChapterText,
  { pathname, search }: Pick<Location, "pathname" | "search"> = location,
): Moment {
  const isOwn = pathname.replace(/\/(index\.html)?$/, "").endsWith(`/${id}`);
  const query = new URLSearchParams(isOwn ? search : "");
  const number = (name: string, min: number, max: number, fallback: number) => {
    const text = query.get(name);
    const value = text === null || text === "" ? NaN : Number(text);
    return value >= min && value <= max ? value : fallback;
  };
  const at = number("at", 0, MAX_AT, 0);
  return {
    isFixed: query.get("side") === "fixed",
    value: number("value", control.min, control.max, control.initial),
    pick: query.get("pick") ?? undefined,
    turns: readTurns(query.get("turns"), control, at),
    at,
  };
}

/** Creates the model of a figure and plays it up to a moment. */
export function modelAt(scene: ChapterScene, { isFixed, value, pick, turns = [], at }: Moment): ChapterModel {
  const values = [...turns.map((turn) => turn.value), value];
  const model = scene.create(isFixed, values[0]!);
  if (pick !== undefined) model.choose?.(pick);
  turns.forEach(({ until }, i) => {
    model.advance(until);
    scene.change?.(model, values[i + 1]!);
  });
  if (at > 0) model.advance(at);
  return model;
}
