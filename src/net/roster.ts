// Who plays: the members of a game and their seats. Each change of it is a decision that the voters agree on, numbered by epochs.

/** A peer that takes part: it holds seats, or relays. Spectators are not members. */
export interface Member {
  /** Chosen at random by the peer itself. */
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
  /** Whether it votes on decisions, and its knowledge counts for what is confirmed. */
  readonly isVoter: boolean;
  /** The first tick of its inputs. */
  readonly from: number;
}

/** Why a member is no longer in the roster. */
export type DropReason =
  | "timeout"
  | "left"
  | "kicked"
  | "closed"
  | "hostile"
  | "desync"
  | "restarted"
  | "stuck";

/** Whether a member that was dropped for this reason may not come back. */
export const isFinal = (reason: DropReason): boolean => reason === "kicked" || reason === "hostile";

/** A member that a decision removes. */
export interface Drop {
  readonly id: number;
  readonly reason: DropReason;
  /** Its seats are absent from this tick on. */
  readonly cut: number;
  /** Its last inputs, for those that miss some of them: from tick `first` to `cut - 1`, coded as rows; empty if they did not fit. */
  readonly first: number;
  readonly rows: Uint8Array;
}

/** The members from one epoch on, and what changed. */
export interface Roster {
  readonly epoch: number;
  readonly members: readonly Member[];
  readonly drops: readonly Drop[];
  /**
   * By member: the tick up to which a voter must know its inputs before it may take part in the next decision. Some of those that
   * decided on this roster knew them, so they may be confirmed.
   */
  readonly floors: readonly number[];
  /** The tick that nobody steps, as the game is paused; -1 if it is not. */
  readonly pausedAt: number;
  /** Made by one member alone, without a quorum, as the other one of two is gone. */
  readonly isForced: boolean;
}

export const NOBODY: Roster = { epoch: 0, members: [], drops: [], floors: [], pausedAt: -1, isForced: false };

export const REASONS: readonly DropReason[] = [
  "timeout",
  "left",
  "kicked",
  "closed",
  "hostile",
  "desync",
  "restarted",
  "stuck",
];

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The longest name of a peer: in characters, and in bytes with all that JSON escapes. A roster of eight fits into one message. */
export const MAX_NAME = 24;
const MAX_NAME_BYTES = 40;

/** Encodes a roster: JSON, as decisions are rare and short. */
export function rosterBytes({ epoch, members, drops, floors, pausedAt, isForced }: Roster): Uint8Array {
  return encoder.encode(
    JSON.stringify([
      epoch,
      members.map(({ id, name, seats, isVoter, from }) => [id, name, seats, isVoter ? 1 : 0, from]),
      drops.map(({ id, reason, cut, first, rows }) => [
        id,
        REASONS.indexOf(reason),
        cut,
        first,
        toText(rows),
      ]),
      floors,
      pausedAt,
      isForced ? 1 : 0,
    ]),
  );
}

/** Decodes a roster of a game with `players` seats. Returns undefined unless all of it is valid. */
export function readRoster(bytes: Uint8Array, players: number): Roster | undefined {
  let data: unknown;
  try {
    data = JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
  if (!isList(data, 6)) return undefined;
  const [epoch, memberList, dropList, floors, pausedAt, forced] = data;
  if (!isTick(epoch) || !Array.isArray(memberList) || !Array.isArray(dropList)) return undefined;
  if (!(pausedAt === -1 || isTick(pausedAt)) || (forced !== 0 && forced !== 1)) return undefined;
  if (!isList(floors, memberList.length) || !floors.every(isTick)) return undefined;
  const members = memberList.map((item) => readMember(item, players));
  const drops = dropList.map(readDrop);
  const taken = members.flatMap((member) => member?.seats ?? []);
  const ids = members.map((member) => member?.id);
  if (members.length > players + 1 || new Set(taken).size < taken.length || new Set(ids).size < ids.length)
    return undefined;
  if (members.includes(undefined) || drops.includes(undefined)) return undefined;
  return { epoch, members, drops, floors, pausedAt, isForced: forced === 1 } as Roster;
}

function readMember(item: unknown, players: number): Member | undefined {
  if (!isList(item, 5)) return undefined;
  const [id, name, seats, voter, from] = item;
  if (!isId(id) || !isName(name) || !isSeats(seats, players) || (voter !== 0 && voter !== 1) || !isTick(from))
    return undefined;
  return { id, name, seats, isVoter: voter === 1, from };
}

function readDrop(item: unknown): Drop | undefined {
  if (!isList(item, 5)) return undefined;
  const [id, code, cut, first, text] = item;
  const reason = isTick(code) ? REASONS[code] : undefined;
  if (!isId(id) || !reason || !isTick(cut) || !isTick(first) || first > cut || typeof text !== "string")
    return undefined;
  const rows = fromText(text);
  return rows && { id, reason, cut, first, rows };
}

const isList = (value: unknown, length: number): value is unknown[] =>
  Array.isArray(value) && value.length === length;

export const isTick = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

export const isId = (value: unknown): value is number => isTick(value) && value > 0 && value < 2 ** 32;

/** Whether a text can be shown to people: short, without control characters. */
export const isName = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= MAX_NAME &&
  // Mostly letters that take one byte each: a room may have thousands of names.
  (/^[\w .-]*$/.test(value) ||
    (!/\p{Cc}/u.test(value) && encoder.encode(JSON.stringify(value)).length <= MAX_NAME_BYTES));

export const isSeats = (value: unknown, players: number): value is number[] =>
  Array.isArray(value) &&
  value.length <= players &&
  value.every((seat, i) => isTick(seat) && seat < players && (i === 0 || seat > value[i - 1]));

/** Bytes as text, and back. Each character is one byte of Latin-1. */
export const toText = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

export function fromText(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
