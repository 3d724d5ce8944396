// The messages between peers besides the packets of inputs. The first byte is the type. Its highest bit is set, which tells it from a
// packet.
import { isId, isName, isSeats, isTick } from "./membership/roster.js";

/** Increased whenever peers of two versions would not understand each other. */
export const PROTOCOL = 2;

export const HELLO = 0x80;
export const REJECT = 0x81;
/** Asks for a snapshot, and for all inputs from then on. */
export const FOLLOW = 0x82;
/** The sender's roster. */
export const ROSTER = 0x83;
/** Asks for seats. */
export const SIT = 0x84;
/** Asks to forward the streams of some members. */
export const WANT = 0x85;
/** A fragment of a long message. */
export const FRAGMENT = 0x86;
/** Answers of members to one that wants to succeed the host. */
export const VOTE = 0x87;
/** The sender leaves, after a last packet. Says the succession that it has answered. */
export const LEAVE = 0x88;
export const DESYNC = 0x89;
/** Asks for a pause, or for its end. */
export const PAUSE = 0x8a;
/** A copy of commands, or a part of it. */
export const COMMAND_PART = 0x8b;

/** Kinds of long messages: the first byte of a transfer. */
export const SNAPSHOT = 1;
export const COMMANDS = 2;
export const APPLICATION = 3;
export const DESCRIPTION = 4;
export const LONG_ROSTER = 5;
export const DESYNC_PART = 6;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export function message(type: number, body: Uint8Array = new Uint8Array(0)): Uint8Array {
  const bytes = new Uint8Array(1 + body.length);
  bytes[0] = type;
  bytes.set(body, 1);
  return bytes;
}

export const jsonMessage = (type: number, value: unknown): Uint8Array =>
  message(type, encoder.encode(JSON.stringify(value)));

/** Returns the JSON of a message, or undefined if it is none. */
export function readJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** How a peer introduces itself. */
export interface Hello {
  readonly protocol: number;
  readonly simulation: string;
  readonly version: number;
  readonly fingerprint: string;
  /** The version of `tickwise/math`. */
  readonly profile: number;
  readonly id: number;
  readonly name: string;
  /** The game whose state it has and can pass on; 0 for none. */
  readonly game: number;
  /** The game that it has left, to continue alone; 0 for none. */
  readonly parent: number;
  /** How many seats it asks for. */
  readonly wants: number;
  /** It hosts the game without a seat. */
  readonly isRelay: boolean;
  /** The members of its game, and whether the game has begun. */
  readonly members: number;
  readonly hasBegun: boolean;
  /** Whether the sender is a member of its game, not only a follower. */
  readonly isMember: boolean;
}

export function readHello(value: unknown): Hello | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const {
    protocol,
    simulation,
    version,
    fingerprint,
    profile,
    id,
    name,
    game,
    parent,
    wants,
    isRelay,
    members,
    hasBegun,
    isMember,
  } = value as Partial<Hello>;
  const isValid =
    isTick(protocol) &&
    typeof simulation === "string" &&
    simulation.length <= 200 &&
    isTick(version) &&
    typeof fingerprint === "string" &&
    fingerprint.length <= 100 &&
    isTick(profile) &&
    isId(id) &&
    isName(name) &&
    (game === 0 || isId(game)) &&
    (parent === 0 || isId(parent)) &&
    isTick(wants) &&
    typeof isRelay === "boolean" &&
    isTick(members) &&
    typeof hasBegun === "boolean" &&
    typeof isMember === "boolean";
  return isValid ? (value as Hello) : undefined;
}

/** Why a peer does not take part. */
export type RejectCode =
  | "protocol"
  | "simulation"
  | "version"
  | "layout"
  | "wire"
  | "math profile"
  | "seat taken"
  | "game full"
  | "kicked"
  | "same peer"
  | "other game"
  | "hostile";

/** Why a peer was rejected. */
export interface Rejection {
  readonly code: RejectCode;
  /** The reason, as a sentence for a person. */
  readonly text: string;
}

const CODES: readonly RejectCode[] = [
  "protocol",
  "simulation",
  "version",
  "layout",
  "wire",
  "math profile",
  "seat taken",
  "game full",
  "kicked",
  "same peer",
  "other game",
  "hostile",
];

export function readRejection(value: unknown): Rejection | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, text } = value as Partial<Rejection>;
  if (!CODES.includes(code as RejectCode) || typeof text !== "string") return undefined;
  return { code: code as RejectCode, text: text.slice(0, 1000) };
}

/** A request for seats. */
export interface SeatRequest {
  readonly id: number;
  readonly name: string;
  /** These seats, or as many as `count` of any. */
  readonly seats: readonly number[];
  readonly count: number;
}

export function readSeatRequest(value: unknown, players: number): SeatRequest | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, name, seats, count } = value as Partial<SeatRequest>;
  return isId(id) && isName(name) && isSeats(seats, players) && isTick(count) && count <= players
    ? { id, name, seats, count }
    : undefined;
}
