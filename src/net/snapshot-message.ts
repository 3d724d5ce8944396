// A game's state for a peer that joins: a header in JSON after its length, then the state as bytes.
import type { AnySimulation } from "../sim/index.js";
import type { Membership } from "./membership/membership.js";
import { readJson } from "./messages.js";
import type { Rollback } from "./rollback.js";
import { isId, isTick, readRoster, rosterBytes, type Roster } from "./membership/roster.js";

export interface Snapshot {
  readonly game: number;
  /** The game that this one was split from; 0 for none. */
  readonly parent: number;
  readonly seed: number | string;
  readonly hashEvery: number;
  readonly roster: Roster;
  /** The inputs of all seats in the tick before, which the next ones are coded against. */
  readonly words: Uint32Array;
  /** The tick from which each seat is absent. */
  readonly absentFrom: readonly number[];
  readonly state: Uint8Array;
}

/** Returns the state of a confirmed tick, and what a peer needs to go on from there. */
export function snapshotBytes(
  rollback: Rollback,
  { roster, absentFrom }: Membership,
  {
    tick,
    game,
    parent,
    seed,
    hashEvery,
  }: Pick<Snapshot, "game" | "parent" | "seed" | "hashEvery"> & { readonly tick: number },
): Uint8Array {
  const { players, packing } = rollback.simulation;
  const words = new Uint32Array(players * packing.words);
  if (tick > 0) rollback.log.read(tick - 1, words, new Uint8Array(players));
  const header = new TextEncoder().encode(
    JSON.stringify({
      game,
      seed,
      hashEvery,
      parent,
      roster: new TextDecoder().decode(rosterBytes(game, roster)),
      words: [...words],
      absentFrom,
    }),
  );
  const state = rollback.bytesAt(tick);
  const bytes = new Uint8Array(4 + header.length + state.length);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, 4);
  bytes.set(state, 4 + header.length);
  return bytes;
}

const isWords = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((word) => isTick(word) && word < 2 ** 32);

/** Reads a snapshot of a game. Returns undefined unless its header is valid. The state is checked when it is loaded. */
export function readSnapshot(bytes: Uint8Array, simulation: AnySimulation): Snapshot | undefined {
  const { players, packing } = simulation;
  if (bytes.length < 4) return undefined;
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
  if (end > bytes.length) return undefined;
  const header = readJson(bytes.subarray(4, end));
  if (typeof header !== "object" || header === null) return undefined;
  const {
    game,
    parent,
    seed,
    hashEvery,
    roster: text,
    words,
    absentFrom,
  } = header as Record<string, unknown>;
  if (!isId(game) || typeof text !== "string") return undefined;
  const roster = readRoster(new TextEncoder().encode(text), game, players);
  const isSeed = Number.isSafeInteger(seed) || (typeof seed === "string" && seed.length <= 1000);
  if (!roster || !isSeed || !(parent === 0 || isId(parent)) || !isTick(hashEvery) || hashEvery > 600)
    return undefined;
  if (!isWords(words) || words.length !== players * packing.words) return undefined;
  if (!Array.isArray(absentFrom) || absentFrom.length !== players || !absentFrom.every(isTick))
    return undefined;
  return {
    game,
    seed: seed as number | string,
    parent,
    hashEvery,
    roster,
    words: Uint32Array.from(words),
    absentFrom: absentFrom as number[],
    state: bytes.subarray(end),
  };
}
