import type { DesyncSource } from "./desync-result.js";
import { absorb } from "./hash-tree.js";

/** Most hashes of ticks in a message. */
export const MAX_HASHES = 64;
/** Most ticks that are searched: the newest ones. */
export const MAX_HELD = MAX_HASHES * MAX_HASHES;
/** Bytes of a short hash. 0 stands for none. */
export const SHORT = 3;

/** Every how many ticks are hashed, so that a message has room for all. */
export const strideOf = (ticks: number): number => Math.max(1, Math.ceil(ticks / MAX_HASHES));

/** A range of states that both peers may hold, the first one in it that differs, and the last equal one before that. */
export interface FoundTick {
  readonly from: number;
  readonly to: number;
  readonly tick: number | undefined;
  readonly after: number | undefined;
}

/** The states that a peer holds when a search begins, as short hashes. */
export class HeldTicks {
  readonly first: number;
  readonly last: number;
  readonly #source: DesyncSource;

  constructor(source: DesyncSource) {
    this.#source = source;
    this.last = source.lastHeld;
    this.first = Math.max(0, source.firstHeld, source.lastHeld - MAX_HELD + 1);
  }

  get total(): number {
    return Math.max(0, this.last - this.first + 1);
  }

  /** Returns the short hash of a state; 0 if it is not held. */
  hashOf(tick: number): number {
    const hash = this.#source.hashAt(tick);
    return hash ? shortened(absorb(hash[0], hash[1])) : 0;
  }

  /** Compares the peer's hashes of every `stride`-th tick from `first` on, as far as they lie between `from` and `to`. */
  firstDifference(
    first: number,
    stride: number,
    hashes: readonly number[],
    from: number,
    to: number,
  ): FoundTick {
    let after: number | undefined;
    for (const [i, theirs] of hashes.entries()) {
      const tick = first + i * stride;
      const own = tick < from || tick > to ? 0 : this.hashOf(tick);
      if (own === 0 || theirs === 0) continue;
      if (own !== theirs) return { from, to, tick, after };
      after = tick;
    }
    return { from, to, tick: undefined, after };
  }

  /** Returns a short hash of each seat's inputs in the steps from one state to another; 0 if they are not known. */
  seatHashes(from: number, to: number): number[] {
    return Array.from({ length: this.#source.simulation.players }, (_, seat) => {
      let hash = seat;
      for (let tick = from; tick < to; tick++) {
        const inputs = this.#source.inputsHash(tick, seat);
        if (inputs === undefined) return 0;
        hash = absorb(hash, inputs);
      }
      return shortened(hash);
    });
  }
}

const shortened = (hash: number): number => hash & 0xffffff || 1;
