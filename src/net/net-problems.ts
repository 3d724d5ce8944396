// What can be wrong with a network game, in sentences that say what to do: for the console and for the HUD.
import type { RejectCode } from "./messages.js";
import type { DesyncEvent, NetEvents } from "./net-events.js";

/** `"1, 2 and 4"`. */
export const listText = (items: readonly (number | string)[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** `"seat 2"`, or `"seats 1, 2 and 4"`. */
export const seatsText = (seats: readonly number[]): string =>
  `${seats.length === 1 ? "seat" : "seats"} ${listText(seats)}`;

/** What to do about a rejection, unless its own text says so. */
const FIXES: Partial<Record<RejectCode, string>> = {
  simulation: "Connect only peers of the same game.",
  layout: "Reload both, and increase the simulation's version whenever it changes.",
  "seat taken": "Only one peer may ask for a seat, such as seat 0: pass seats: 1 to get any free one.",
  "game full": "The peer watches until a seat is free.",
  "same peer": "Give each tab its own token: keep it in sessionStorage, not in localStorage.",
  "other game": "Connect peers before they play, and let only one of them ask for seat 0.",
};

/** Says who rejected whom, and why. */
export function rejectedText({
  code,
  text,
  by,
  name,
}: Omit<NetEvents["rejected"], "tick" | "name"> & { readonly name?: string }): string {
  const who = by === "us" ? `This peer rejected ${name || "another one"}` : "The others rejected this peer";
  const fix = FIXES[code];
  return `${who}: ${text}.${fix ? ` ${fix}` : ""}`;
}

const USUAL_CAUSES =
  "The usual causes are Math.random or Date.now in step, which guard: guard() and tickwise/lint find, or an object outside the state, which npx tickwise synctest finds.";

/** Says where two states differ, as far as that is known, and what to do. */
export function desyncText({ stage, tick, fields, external, seats, peer, name }: DesyncEvent): string {
  const other = name || `peer ${peer}`;
  if (stage === "suspected")
    return `The state differs from that of ${other} at tick ${tick}; the fields are being searched for. ${USUAL_CAUSES}`;
  const head = `The state differs from that of ${other} since tick ${tick}`;
  if (stage === "unknown") return `${head}; which fields differ could not be found out. ${USUAL_CAUSES}`;
  if (seats.length > 0)
    return `${head}: the inputs of ${seatsText(seats)} differ, so its peer sent different ones to different peers.`;
  const [first] = fields;
  const rest = fields.length - 1;
  const what = first
    ? `${first.path} is ${first.a} here and ${first.b} there${rest > 0 ? `, and ${rest} more` : ""}`
    : listText(external);
  return `${head}: ${what}. Save session.net.last.desync.report(), and run npx tickwise desync on it.`;
}

/** Says that peers are connected, but nobody hosts a game. */
export const NO_HOST =
  "Nobody hosts the game: no connected peer asked for seat 0 or is a relay. Pass seats: [0] to one of them, or wait for a second player: of two who ask for any seat, one hosts.";

/** Says that too few members are heard, and the ways out. */
export const noQuorumText = (heard: number, members: number): string =>
  `The game stands still: this peer hears ${heard} of ${members} members, itself included, and that is too few. It goes on when more are back; session.continueAlone(), or the option alone: "continue", goes on without them.`;
