// Who plays: the members of a game and their seats. The host changes it; each change begins an epoch.
/** A peer that takes part: it holds seats, or relays. Spectators are not members. */
export interface Member {
  /** Chosen at random by the peer itself. */
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
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

/** Whether a reason is about silence, which may end, or about something that somebody has seen. */
export const isProof = (reason: DropReason | undefined): boolean =>
  reason === "left" || reason === "restarted";

/** A member that has left or was dropped. Others may still need its last inputs. */
export interface Departed extends Member {
  /** Its seats are absent from this tick on. */
  readonly until: number;
  readonly reason: DropReason;
}

/**
 * The members from one epoch on. It is complete in itself: whoever missed some epochs continues with the newest roster. The first member
 * is the host.
 */
export interface Roster {
  readonly epoch: number;
  /** The epoch in which this host took over. */
  readonly since: number;
  /** The ticks before it were certain, or could have been, when the host took over: they stay as they are. */
  readonly begin: number;
  readonly members: readonly Member[];
  /** Those whose last inputs some members may lack. */
  readonly departed: readonly Departed[];
  /** The tick that nobody steps, as the game is paused; -1 if it is not. */
  readonly pausedAt: number;
  /** All are connected to the host alone: nobody can succeed it, so its word is enough. So is that of a relay. */
  readonly isStar: boolean;
}

export const NOBODY: Roster = {
  epoch: 0,
  since: 0,
  begin: 0,
  members: [],
  departed: [],
  pausedAt: -1,
  isStar: true,
};

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
const MAX_DEPARTED = 256;

/** Encodes the roster of a game: JSON, as changes are rare. */
export function rosterBytes(game: number, roster: Roster): Uint8Array {
  const { epoch, since, begin, members, departed, pausedAt, isStar } = roster;
  const row = ({ id, name, seats, from }: Member) => [id, name, seats, from];
  const rows = departed.map((member) => [...row(member), member.until, REASONS.indexOf(member.reason)]);
  return encoder.encode(
    JSON.stringify([game, epoch, since, begin, pausedAt, isStar ? 1 : 0, members.map(row), rows]),
  );
}

/** Decodes the roster of a game with `players` seats. Returns undefined unless all of it is valid. */
export function readRoster(bytes: Uint8Array, game: number, players: number): Roster | undefined {
  let data: unknown;
  try {
    data = JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
  if (!isList(data, 8) || data[0] !== game) return undefined;
  const [, epoch, since, begin, pausedAt, star, memberList, departedList] = data;
  if (!isTick(epoch) || !isTick(since) || since > epoch || !isTick(begin)) return undefined;
  if (!(pausedAt === -1 || isTick(pausedAt)) || (star !== 0 && star !== 1)) return undefined;
  if (!Array.isArray(memberList) || memberList.length > players + 1) return undefined;
  if (!Array.isArray(departedList) || departedList.length > MAX_DEPARTED) return undefined;
  const members = memberList.map((item) => (isList(item, 4) ? readMember(item, players) : undefined));
  const departed = departedList.map((item) => readDeparted(item, players));
  if (members.includes(undefined) || departed.includes(undefined)) return undefined;
  const taken = members.flatMap((member) => member!.seats);
  const ids = members.map((member) => member!.id);
  if (new Set(taken).size < taken.length || new Set(ids).size < ids.length) return undefined;
  return { epoch, since, begin, members, departed, pausedAt, isStar: star === 1 } as Roster;
}

function readMember([id, name, seats, from]: readonly unknown[], players: number): Member | undefined {
  return isId(id) && isName(name) && isSeats(seats, players) && isTick(from)
    ? { id, name, seats, from }
    : undefined;
}

function readDeparted(item: unknown, players: number): Departed | undefined {
  const member = isList(item, 6) ? readMember(item, players) : undefined;
  const [, , , , until, code] = (member ? item : []) as unknown[];
  const reason = isTick(code) ? REASONS[code] : undefined;
  return member && reason && isTick(until) && until >= member.from ? { ...member, until, reason } : undefined;
}

/** Whether two entries stand for the same stay in the game: a peer that joins again begins a new one. */
export const isSame = (a: Member, b: Member): boolean => a.id === b.id && a.from === b.from;

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
