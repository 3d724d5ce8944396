// The messages between servers and clients besides packets. Their types continue those of peers.
import { PROFILE } from "../../math/index.js";
import type { AnySimulation } from "../../sim/index.js";
import { PROTOCOL } from "../messages.js";
import { isName, isSeats, isTick } from "../membership/roster.js";

/** A client asks to take part. */
export const JOIN = 0x90;
/** The server's answer. */
export const WELCOME = 0x91;
/** The client asks for the whole state again. */
export const RESYNC = 0x92;

/** A part of a state that does not fit into one packet. */
export const STATE_PART = 0x93;

/** The answer to a sign of life in lockstep. */
export const PONG = 0x94;

/** What the time is, while nothing else is new. */
export const TIME = 0x95;

/** A long message: who is there, and what the time is. */
export const NEWS = 16;

export const jsonBytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** What a server sends to its clients: the inputs of all seats, for predictions or for lockstep, or states. */
export type Down = "inputs" | "states" | "lockstep";

export const DOWNS: readonly Down[] = ["inputs", "states", "lockstep"];

/** How a client asks to take part. */
export interface Join {
  readonly protocol: number;
  readonly simulation: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly profile: number;
  /** Viewers simulate nothing. */
  readonly role: "client" | "viewer";
  readonly name: string;
  /** A secret of this client and the server. A client that comes back with it gets its seats back. */
  readonly token: string;
  /** These seats, or as many as `count` of any. */
  readonly seats: readonly number[];
  readonly count: number;
}

export const joinOf = (
  { name, version, fingerprint }: AnySimulation,
  client: Pick<Join, "role" | "name" | "token" | "seats" | "count">,
): Join => ({ protocol: PROTOCOL, simulation: name, version, fingerprint, profile: PROFILE, ...client });

const isText = (value: unknown, length: number): value is string =>
  typeof value === "string" && value.length <= length;

export function readJoin(value: unknown, players: number): Join | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { protocol, simulation, version, fingerprint, profile, role, name, token, seats, count } =
    value as Partial<Join>;
  const isValid =
    isTick(protocol) &&
    isText(simulation, 200) &&
    isTick(version) &&
    isText(fingerprint, 100) &&
    isTick(profile) &&
    (role === "client" || role === "viewer") &&
    isName(name) &&
    isText(token, 200) &&
    token.length > 0 &&
    // Of a simulation with other players, the seats cannot be checked: it is rejected anyway.
    (isSeats(seats, players) || (Array.isArray(seats) && seats.length <= 4096)) &&
    isTick(count);
  return isValid ? (value as Join) : undefined;
}

/** What a server tells a client that it accepts. */
export interface Welcome {
  readonly id: number;
  readonly seats: readonly number[];
  readonly down: Down;
  /** Whether states leave out what clients need only to predict. */
  readonly isSecretive: boolean;
  /** The fingerprint of the codec of states: "" if none are sent. */
  readonly wire: string;
  readonly seed: number | string;
  /** The server's tick. */
  readonly tick: number;
  /** Ticks between two hashes, and between two states. */
  readonly hashEvery: number;
  readonly stateEvery: number;
  /** The first tick whose inputs the server takes. */
  readonly from: number;
}

const isSeed = (value: unknown): value is number | string =>
  Number.isSafeInteger(value) || isText(value, 1000);

export function readWelcome(value: unknown, players: number): Welcome | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, seats, down, isSecretive, wire, seed, tick, hashEvery, stateEvery, from } =
    value as Partial<Welcome>;
  const isValid =
    isTick(id) &&
    isSeats(seats, players) &&
    DOWNS.includes(down!) &&
    typeof isSecretive === "boolean" &&
    isText(wire, 100) &&
    isSeed(seed) &&
    isTick(tick) &&
    isTick(hashEvery) &&
    hashEvery <= 600 &&
    isTick(stateEvery) &&
    stateEvery >= 1 &&
    stateEvery <= 600 &&
    isTick(from);
  return isValid ? (value as Welcome) : undefined;
}

/** Returns who is there after some came and others are gone. */
export function attendeesAfter(before: readonly Attendee[], news: News): readonly Attendee[] {
  const { attendees, came = [], gone = [] } = news;
  if (attendees) return attendees;
  if (came.length === 0 && gone.length === 0) return before;
  const left = new Set([...gone, ...came.map(({ id }) => id)]);
  return [...before.filter(({ id }) => !left.has(id)), ...came];
}

/** A client or a host, as the others see it. */
export interface Attendee {
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
}

/** What is new: who is there, whether the game is paused, and the wall time. */
export interface News {
  /** Everyone who plays. If many do, clients that know them only get who came and who is gone. */
  readonly attendees?: readonly Attendee[] | undefined;
  readonly came?: readonly Attendee[] | undefined;
  readonly gone?: readonly number[] | undefined;
  readonly isPaused: boolean;
  /** The wall time at a tick of the server, in milliseconds since 1970. */
  readonly tick: number;
  readonly wall: number;
  /** Who hosts the game when the server is gone; 0 if nobody. */
  readonly heir: number;
}

const isAttendees = (value: unknown, players: number): value is readonly Attendee[] =>
  Array.isArray(value) &&
  // Each has a seat, except for a host.
  value.length <= players + 1 &&
  value.every(
    (one: Partial<Attendee> | null) =>
      typeof one === "object" &&
      one !== null &&
      isTick(one.id) &&
      isName(one.name) &&
      isSeats(one.seats, players),
  );

/** The body of the message about the time: a tick of the server with its fraction, and the wall time then. */
export function timeBody({ tick, wall }: Pick<News, "tick" | "wall">): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setFloat64(0, tick);
  view.setFloat64(8, wall);
  return new Uint8Array(view.buffer);
}

export function readTime(body: Uint8Array): Pick<News, "tick" | "wall"> | undefined {
  if (body.length !== 16) return undefined;
  const view = new DataView(body.buffer, body.byteOffset);
  const [tick, wall] = [view.getFloat64(0), view.getFloat64(8)];
  return Number.isFinite(tick) && Number.isFinite(wall) ? { tick, wall } : undefined;
}

export function readNews(value: unknown, players: number): News | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { attendees, came, gone, isPaused, tick, wall, heir } = value as Partial<News>;
  const isValid =
    (came === undefined
      ? isAttendees(attendees, players)
      : isAttendees(came, players) && Array.isArray(gone) && gone.every(isTick)) &&
    typeof isPaused === "boolean" &&
    typeof tick === "number" &&
    Number.isFinite(tick) &&
    typeof wall === "number" &&
    Number.isFinite(wall) &&
    isTick(heir);
  return isValid ? (value as News) : undefined;
}
