// A game's state for a peer that joins: a header in JSON after its length, then the state as bytes.
import type { AnySimulation } from "../sim/index.js";
import type { Membership } from "./membership.js";
import { readJson } from "./messages.js";
import type { Rollback } from "./rollback.js";
import type { SeatLog } from "./seat-log.js";
import { fromText, isId, isTick, readRoster, rosterBytes, toText, type Roster } from "./roster.js";

export interface Snapshot {
  readonly game: number;
  readonly seed: number | string;
  readonly hashEvery: number;
  readonly roster: Roster;
  /** The inputs of all seats in the tick before, which the next ones are coded against. */
  readonly words: Uint32Array;
  /** The tick from which each seat is absent. */
  readonly absentFrom: readonly number[];
  /** What members that were dropped since did, as nobody sends their inputs any more. */
  readonly gone: readonly GoneInput[];
  readonly state: Uint8Array;
}

/** What a seat did in a tick: whether it was absent, its inputs, its commands. */
type GoneInput = readonly [
  seat: number,
  tick: number,
  absent: number,
  words: readonly number[],
  commands: readonly string[],
];

/** Returns the state of a confirmed tick, and what a peer needs to go on from there. */
export function snapshotBytes(
  rollback: Rollback,
  { roster, absentFrom }: Membership,
  { tick, game, seed, hashEvery }: Pick<Snapshot, "game" | "seed" | "hashEvery"> & { readonly tick: number },
): Uint8Array {
  const { players, packing } = rollback.simulation;
  const words = new Uint32Array(players * packing.words);
  if (tick > 0) rollback.log.read(tick - 1, words, new Uint8Array(players));
  const header = new TextEncoder().encode(
    JSON.stringify({
      game,
      seed,
      hashEvery,
      roster: new TextDecoder().decode(rosterBytes({ ...roster, drops: [] })),
      words: [...words],
      absentFrom,
      gone: goneInputs(rollback, tick, absentFrom),
    }),
  );
  const state = rollback.bytesAt(tick);
  const bytes = new Uint8Array(4 + header.length + state.length);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, 4);
  bytes.set(state, 4 + header.length);
  return bytes;
}

/** Lists what the seats did from a tick on whose member was dropped later. */
function goneInputs(
  { log, simulation }: Rollback,
  first: number,
  absentFrom: readonly number[],
): GoneInput[] {
  const width = simulation.packing.words;
  const gone: GoneInput[] = [];
  absentFrom.forEach((from, seat) => {
    for (let tick = first; tick < from; tick++) {
      const words = new Uint32Array(width);
      log.readSeat(tick, seat, words, 0);
      const commands = log
        .commands(tick)
        .flatMap(({ player, bytes }) => (player === seat ? [toText(bytes)] : []));
      gone.push([seat, tick, log.isAbsent(tick, seat) ? 1 : 0, [...words], commands]);
    }
  });
  return gone;
}

/** Writes what dropped members did into the log. */
export function restoreGone({ gone }: Snapshot, log: SeatLog): void {
  for (const [seat, tick, absent, words, commands] of gone) {
    log.setAbsent(tick, seat, absent === 1);
    log.writeSeat(tick, seat, Uint32Array.from(words), 0);
    log.setCommands(
      tick,
      [seat],
      commands.map((text) => ({ player: seat, bytes: fromText(text)! })),
    );
  }
}

const MAX_GONE = 100_000;

const isWords = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((word) => isTick(word) && word < 2 ** 32);

function isGone(value: unknown, { players, packing, commands: spec }: AnySimulation): value is GoneInput {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const [seat, tick, absent, words, commands] = value as unknown[];
  return (
    isTick(seat) &&
    seat < players &&
    isTick(tick) &&
    (absent === 0 || absent === 1) &&
    isWords(words) &&
    words.length === packing.words &&
    Array.isArray(commands) &&
    commands.every((text) => {
      const bytes = typeof text === "string" ? fromText(text) : undefined;
      return bytes !== undefined && spec.isValid(bytes);
    })
  );
}

/** Reads a snapshot of a game. Returns undefined unless its header is valid. The state is checked when it is loaded. */
export function readSnapshot(bytes: Uint8Array, simulation: AnySimulation): Snapshot | undefined {
  const { players, packing } = simulation;
  if (bytes.length < 4) return undefined;
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
  if (end > bytes.length) return undefined;
  const header = readJson(bytes.subarray(4, end));
  if (typeof header !== "object" || header === null) return undefined;
  const { game, seed, hashEvery, roster: text, words, absentFrom, gone } = header as Record<string, unknown>;
  const roster = typeof text === "string" ? readRoster(new TextEncoder().encode(text), players) : undefined;
  const isSeed = Number.isSafeInteger(seed) || (typeof seed === "string" && seed.length <= 1000);
  if (!roster || !isSeed || !isId(game) || !isTick(hashEvery) || hashEvery > 600) return undefined;
  if (!isWords(words) || words.length !== players * packing.words) return undefined;
  if (!Array.isArray(gone) || gone.length > MAX_GONE || !gone.every((item) => isGone(item, simulation)))
    return undefined;
  if (!Array.isArray(absentFrom) || absentFrom.length !== players || !absentFrom.every(isTick))
    return undefined;
  return {
    game,
    seed: seed as number | string,
    hashEvery,
    roster,
    words: Uint32Array.from(words),
    absentFrom: absentFrom as number[],
    gone: gone as GoneInput[],
    state: bytes.subarray(end),
  };
}
