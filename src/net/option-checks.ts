// Checks of options that several kinds of sessions have.
import { badValue, requireWhole, unknownName } from "../errors/index.js";
import type { AnySimulation } from "../sim/index.js";
import type { Link } from "./link.js";
import { isName, MAX_NAME } from "./membership/roster.js";

/** Throws unless `value` is a whole number from `min` to `max`. */
export function requireWholeUpTo(
  subject: string,
  value: number,
  min: number,
  max: number,
  fix: unknown,
): void {
  requireWhole(subject, value, min, fix);
  if (value > max) badValue(subject, `at most ${max}`, value, fix);
}

/** Throws unless `value` is one of some texts. */
export function requireOneOf(subject: string, value: unknown, names: readonly string[]): void {
  if (!names.includes(value as string))
    badValue(
      subject,
      names.map((name) => JSON.stringify(name)).join(" or "),
      value,
      JSON.stringify(names[0]),
    );
}

/** Throws unless `when` says when effects are delivered. */
export function requireTiming(call: string, simulation: AnySimulation, when: unknown): void {
  const timings = ["shown", "confirmed"];
  const { effects = {} } = simulation.options;
  if (typeof when !== "object" || when === null) return requireOneOf(`${call}: when`, when, timings);
  for (const [effect, timing] of Object.entries(when)) {
    if (!Object.hasOwn(effects, effect)) unknownName(call, "effect in when:", effect, Object.keys(effects));
    requireOneOf(`${call}: when.${effect}`, timing, timings);
  }
}

export function requireLink(subject: string, link: unknown): asserts link is Link {
  const { send, on, close } = (link ?? {}) as Partial<Link>;
  if (typeof send !== "function" || typeof on !== "function" || typeof close !== "function")
    badValue(subject, "a link with send, on and close", link, "websocketLink(url)");
}

export function requireLinks(subject: string, links: unknown): void {
  if (!Array.isArray(links)) badValue(subject, "a list of links", links, "[link]");
  for (const link of links) requireLink(subject, link);
}

/** Throws unless `seats` is a list of different seats. */
export function requireSeats(
  subject: string,
  seats: unknown,
  players: number,
): asserts seats is readonly number[] {
  const isValid =
    Array.isArray(seats) &&
    new Set(seats).size === seats.length &&
    seats.every((seat) => Number.isInteger(seat) && seat >= 0 && seat < players);
  if (!isValid) badValue(subject, `a list of seats from 0 to ${players - 1}, each once`, seats, "[0]");
}

/** Throws unless `seats` is a list of different seats, or how many are wanted. */
export function requireSeatsOrCount(subject: string, seats: unknown, players: number): void {
  if (typeof seats !== "number") return requireSeats(subject, seats, players);
  requireWhole(subject, seats, 0, 1);
  if (seats > players) badValue(subject, `at most ${players}, the players of the simulation`, seats, 1);
}

export function requireName(subject: string, name: unknown): void {
  if (!isName(name))
    badValue(subject, `a text of up to ${MAX_NAME} characters without control characters`, name, '"Ada"');
}

export function requireToken(subject: string, token: unknown): void {
  if (typeof token !== "string" || token.length === 0 || token.length > 200)
    badValue(subject, "a text of 1 to 200 characters", token, "crypto.randomUUID()");
}
