// What a room server and its guests say to each other besides the game: texts in JSON, subprotocols and close codes.

/** Why a room server closed a connection, by the code of the close. */
const END_OF_CODE = {
  4000: "restarting",
  4001: "overloaded",
  4002: "unknown-room",
  4003: "full",
  4004: "not-allowed",
  4005: "limit",
  4006: "ended",
  4007: "failed",
  4008: "idle",
  4009: "rejected",
} as const;

/**
 * Why a room server closed a connection:
 *
 * - `"restarting"`: the server restarts. Join again in a few seconds, with the same code and token.
 * - `"overloaded"`: the server takes no new rooms or connections at the moment.
 * - `"unknown-room"`: no room has this code, or the room has ended.
 * - `"full"`: all seats are taken or kept for players who may come back, or too many clients watch.
 * - `"not-allowed"`: the token is wrong or has expired, its player was sent away, or the server requires a signed token.
 * - `"limit"`: this client sent too much, or read too slowly.
 * - `"ended"`: the room has ended.
 * - `"failed"`: a step threw or hung, or the game could not be started.
 * - `"idle"`: this client sent nothing for too long.
 * - `"rejected"`: the game sent this client away. The reason says why: it has another version, was kicked, or plays in another tab.
 */
export type RoomEnd = (typeof END_OF_CODE)[keyof typeof END_OF_CODE];

/** The close code of each end. */
export const CODE_OF_END = Object.fromEntries(
  Object.entries(END_OF_CODE).map(([code, end]) => [end, Number(code)]),
) as Readonly<Record<RoomEnd, number>>;

/** Returns why a room server closed a connection; undefined if the code is not one of its own. */
export const endOfCode = (code: number): RoomEnd | undefined =>
  (END_OF_CODE as Readonly<Record<number, RoomEnd>>)[code];

/** The subprotocol that a room server speaks. */
export const SUBPROTOCOL = "tickwise";
/** What the subprotocols that carry secrets begin with. Addresses are written to logs; headers are not. */
export const TOKEN_PREFIX = "token.";
export const JWT_PREFIX = "jwt.";

/** The first text of a server in a room. */
export interface RoomGreeting {
  /** Names the room in logs. It is no secret, and lets nobody in. */
  readonly room: string;
  /** Lets others in. */
  readonly code: string;
  /** Lets this player in again, to the same seat. */
  readonly token: string;
  /** For how many seconds after a lost connection the token is valid. */
  readonly expires: number;
  /** How the room runs: `"authority"`, `"relay"` or `"lockstep"`. */
  readonly mode: "authority" | "relay" | "lockstep";
  /** The seats of the game. */
  readonly players: number;
}

/** The longest text of a server that is read, in characters. */
const MAX_TEXT = 16_384;

/** Parses a text of a server; undefined if it is no object in JSON. */
export function readLobbyText(data: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof data !== "string" || data.length > MAX_TEXT) return undefined;
  try {
    const value = JSON.parse(data) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const MODES = ["authority", "relay", "lockstep"];
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 200;

/** Reads the greeting of a room server. */
export function readGreeting(data: unknown): RoomGreeting | undefined {
  const { room, code, token, expires, mode, players } = readLobbyText(data) ?? {};
  if (!isText(room) || !isText(code) || !isText(token) || !MODES.includes(mode as string)) return undefined;
  if (!Number.isFinite(expires) || !Number.isSafeInteger(players)) return undefined;
  return { room, code, token, expires, mode, players } as RoomGreeting;
}
