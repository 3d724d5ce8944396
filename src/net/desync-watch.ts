const KEPT = 32;

/** A hash of a peer that differs from ours. */
export interface Mismatch {
  readonly id: number;
  readonly checkpoint: number;
}

/** Compares the hashes of confirmed states with those of other peers, at every checkpoint that both have. */
export class DesyncWatch {
  readonly #checkpoints = new Float64Array(KEPT).fill(-1);
  readonly #hashes = new Uint32Array(KEPT);
  /** Hashes of peers for checkpoints that are not confirmed here yet, in triples: id, checkpoint, hash. An id of 0 is a free entry. */
  readonly #early = new Float64Array(3 * KEPT);
  #nextEarly = 0;
  #newest = -1;
  /** The newest checkpoint that was equal, by peer. */
  readonly #agreed = new Map<number, number>();

  /** The newest own checkpoint, or -1. */
  get newest(): number {
    return this.#newest;
  }

  /** Returns the own hash of a checkpoint, or undefined. */
  hashOf(checkpoint: number): number | undefined {
    const slot = checkpoint % KEPT;
    return this.#checkpoints[slot] === checkpoint ? this.#hashes[slot] : undefined;
  }

  agreedWith(id: number): number {
    return this.#agreed.get(id) ?? -1;
  }

  /** Takes the hash of an own confirmed state. Calls `differ` for peers whose hash came before, and is another. */
  add(checkpoint: number, hash: number, differ: (mismatch: Mismatch) => void): void {
    const slot = checkpoint % KEPT;
    this.#checkpoints[slot] = checkpoint;
    this.#hashes[slot] = hash;
    this.#newest = Math.max(this.#newest, checkpoint);
    const early = this.#early;
    for (let i = 0; i < early.length; i += 3) {
      if (early[i] === 0 || early[i + 1]! > checkpoint) continue;
      const id = early[i]!;
      early[i] = 0;
      if (early[i + 1] === checkpoint) this.#compare(id, checkpoint, early[i + 2]!, differ);
    }
  }

  /** Takes the hash of a peer. */
  receive(id: number, checkpoint: number, hash: number, differ: (mismatch: Mismatch) => void): void {
    if (this.hashOf(checkpoint) !== undefined) this.#compare(id, checkpoint, hash, differ);
    else if (checkpoint > this.#newest) {
      // Peers are at most some checkpoints ahead. The oldest entries make room.
      const at = 3 * (this.#nextEarly++ % KEPT);
      this.#early[at] = id;
      this.#early[at + 1] = checkpoint;
      this.#early[at + 2] = hash;
    }
  }

  #compare(id: number, checkpoint: number, theirs: number, differ: (mismatch: Mismatch) => void): void {
    if (this.hashOf(checkpoint) === theirs) this.#agreed.set(id, Math.max(checkpoint, this.agreedWith(id)));
    else differ({ id, checkpoint });
  }

  /** Forgets all, as another state was loaded. */
  clear(): void {
    this.#checkpoints.fill(-1);
    this.#early.fill(0);
    this.#newest = -1;
    this.#agreed.clear();
  }
}
