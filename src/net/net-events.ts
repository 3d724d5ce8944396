import type { Difference } from "../state/index.js";
import type { Rejection } from "./messages.js";
import type { DropReason } from "./membership/roster.js";

/** Events of a network session: `session.net.on("peer", …)`. */
export interface NetEvents {
  /** A peer took seats, lost them, connected or disconnected. */
  peer: PeerEvent;
  /** The session stalls, as inputs are missing; or continues. */
  stall: StallEvent;
  /** Ticks were resimulated, as guesses were wrong. The object is reused. */
  rollback: RollbackEvent;
  /** Two peers have different states at the same confirmed tick. */
  desync: DesyncEvent;
  /** The pace changed. */
  pace: { readonly pace: number; readonly advantage: number };
  /** Another peer has called `session.send`. */
  message: { readonly from: number; readonly name: string; readonly bytes: Uint8Array };
  /** A peer, or this one, was rejected, and why. */
  rejected: Rejection & { readonly by: "us" | "them"; readonly name: string; readonly tick: number };
  /** Too many members are gone for the game to go on; or enough are there again. */
  quorum: { readonly hasQuorum: boolean; readonly tick: number };
  /** The game started, paused or resumed. */
  game: { readonly state: "playing" | "paused"; readonly tick: number };
}

export const NET_EVENTS: readonly (keyof NetEvents)[] = [
  "peer",
  "stall",
  "rollback",
  "desync",
  "pace",
  "message",
  "rejected",
  "quorum",
  "game",
];

/** What happened to a peer. */
export interface PeerEvent {
  /**
   * `"connected"` and `"disconnected"` tell about links; `"joined"` and `"dropped"` about seats, from `tick` on; `"hostile"` that
   * a peer broke the protocol, and `"two-faced"` that it sent different inputs to different peers.
   */
  readonly kind: "connected" | "disconnected" | "joined" | "dropped" | "hostile" | "two-faced";
  readonly id: number;
  readonly name: string;
  readonly seats: readonly number[];
  readonly tick: number;
  /** Why, for those that are gone: a `DropReason`, or a text. */
  readonly reason: DropReason | string;
}

/** The start or the end of a stall. */
export interface StallEvent {
  readonly isStalled: boolean;
  readonly tick: number;
  /** The seats whose inputs are missing. */
  readonly seats: readonly number[];
}

/** A rollback. */
export interface RollbackEvent {
  /** The first tick whose inputs were wrong, and the last one that was resimulated. */
  readonly first: number;
  readonly last: number;
}

/** A difference between the states of two peers. */
export interface DesyncEvent {
  /** The id and the name of the other peer. */
  readonly peer: number;
  readonly name: string;
  /** The confirmed tick whose hashes differ; once found, the first one that differs. */
  readonly tick: number;
  /** The values that differ: `a` is ours, `b` is theirs. Set once both peers have searched for the cause. The first event has none. */
  readonly fields: readonly Difference[];
  /** The names of external states that differ. */
  readonly external: readonly string[];
  /** Seats whose inputs differ: their peer sent different inputs to different peers. */
  readonly seats: readonly number[];
  /** `"suspected"` at once, when hashes differ; then `"found"`, or `"unknown"` if the states are no longer held. */
  readonly stage: "suspected" | "found" | "unknown";
  /** Whether this peer differs from most others. */
  readonly isOurs: boolean;
  /** Returns a report file for `npx tickwise desync`. Undefined until the cause is found. */
  report?(): Uint8Array;
}
