// A game that another program continues: a header in JSON after its length, then the state as bytes.
import { badValue } from "../../errors/index.js";
import type { AnySimulation } from "../../sim/index.js";
import { readJson } from "../messages.js";
import { isSeats } from "../membership/roster.js";

export interface Handover {
  readonly seed: number | string;
  readonly state: Uint8Array;
  /** Whose seats are kept: a token and its seats. Only a server knows tokens. */
  readonly kept?: readonly KeptSeats[] | undefined;
}

/** The seats of a client, by its token. */
export type KeptSeats = readonly [token: string, seats: readonly number[]];

export function handoverBytes({ seed, state, kept }: Handover): Uint8Array {
  const header = new TextEncoder().encode(JSON.stringify({ seed, kept }));
  const bytes = new Uint8Array(4 + header.length + state.length);
  new DataView(bytes.buffer).setUint32(0, header.length);
  bytes.set(header, 4);
  bytes.set(state, 4 + header.length);
  return bytes;
}

/** Reads a handover. The state is checked when it is loaded. */
export function readHandover(call: string, { name, players }: AnySimulation, bytes: Uint8Array): Handover {
  const fail = () =>
    badValue(`${call}: from`, `a game of ${JSON.stringify(name)}`, bytes, "session.handover()");
  if (!(bytes instanceof Uint8Array) || bytes.length < 4) return fail();
  const end = 4 + new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0);
  const header = end <= bytes.length ? readJson(bytes.subarray(4, end)) : undefined;
  const { seed, kept = [] } = (
    typeof header === "object" && header !== null ? header : {}
  ) as Partial<Handover>;
  if (typeof seed !== "string" && !Number.isSafeInteger(seed)) return fail();
  if (!Array.isArray(kept) || !kept.every((one) => isKept(one, players))) return fail();
  return { seed: seed as number | string, kept, state: bytes.subarray(end) };
}

const isKept = (value: unknown, players: number): value is KeptSeats =>
  Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && isSeats(value[1], players);
