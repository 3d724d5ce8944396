import type { AnySimulation } from "../sim/index.js";
import type { Difference, Hash } from "../state/index.js";

/** A state that a peer holds. */
export interface HeldState {
  /** The state as bytes: the result of `State.bytes`, or its last `layout.size` bytes. The search keeps them until it ends. */
  readonly state: Uint8Array;
  /** The hash of each external state, with its name. */
  readonly external: readonly (readonly [name: string, hash: Hash])[];
}

/** What a search asks its own peer for. Only confirmed states. */
export interface DesyncSource {
  readonly simulation: AnySimulation;
  /** The first and the last state that may be held. Keep these states while a search runs. */
  readonly firstHeld: number;
  readonly lastHeld: number;
  /** Returns the hash of a state, external states included; undefined if it is not held. */
  hashAt(tick: number): Hash | undefined;
  /** Returns a held state. */
  stateAt(tick: number): HeldState | undefined;
  /** Hashes the inputs and commands of a seat in the step of a tick, to 32 bits; undefined if they are no longer known. */
  inputsHash(tick: number, seat: number): number | undefined;
}

/** The first difference between the states of two peers. */
export interface DesyncFound {
  readonly outcome: "found";
  /** The first state that both peers hold and that differs. */
  readonly tick: number;
  /** The last state before it that both hold, which does not differ; undefined if there is none. */
  readonly after: number | undefined;
  /** Whether no state lies between the two, so that `tick` is the first state that differs. */
  readonly exact: boolean;
  /** The values that differ: `a` is the own value, `b` that of the peer. */
  readonly fields: readonly Difference[];
  /** Whether more fields differ. */
  readonly more: boolean;
  /** The names of external states that differ. */
  readonly external: readonly string[];
  /** The seats whose inputs differ in the held ticks before it. Then somebody sent different inputs to different peers. */
  readonly seats: readonly number[];
}

/** All states that both peers still hold are equal. */
interface DesyncNotHeld {
  readonly outcome: "none";
  /** The first and the last state that both may hold; undefined if there is none. */
  readonly held: readonly [first: number, last: number] | undefined;
  /** The seats whose inputs differ in these ticks. */
  readonly seats: readonly number[];
}

/** The search could not be finished. */
interface DesyncSearchFailed {
  readonly outcome: "failed";
  readonly reason: string;
  /** The first state that differs, if it is known. */
  readonly tick: number | undefined;
}

/** The result of a search. */
export type DesyncResult = DesyncFound | DesyncNotHeld | DesyncSearchFailed;
