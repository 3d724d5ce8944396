const KEPT = 32;

/** A hash as the first number of an array: such a large number would be allocated wherever it is passed. */
type HashWord = ArrayLike<number>;

/** A hash of a peer that differs from ours. */
export interface Mismatch {
  readonly id: number;
  readonly checkpoint: number;
}

/** Compares the hashes of confirmed states with those of other peers, at every checkpoint that both have. */
export class DesyncWatch {
  readonly #checkpoints = new Float64Array(KEPT).fill(NaN);
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

  /** Writes the own hash of a checkpoint to `out`. Returns whether it is known. */
  readHash(checkpoint: number, out: Uint32Array): boolean {
    const slot = checkpoint & (KEPT - 1);
    if (this.#checkpoints[slot] !== checkpoint) return false;
    out[0] = this.#hashes[slot]!;
    return true;
  }

  agreedWith(id: number): number {
    return this.#agreed.get(id) ?? -1;
  }

  /** Takes the hash of an own confirmed state. Calls `differ` for peers whose hash came before, and is another. */
  add(checkpoint: number, hash: HashWord, differ: (mismatch: Mismatch) => void): void {
    const slot = checkpoint & (KEPT - 1);
    this.#checkpoints[slot] = checkpoint;
    this.#hashes[slot] = hash[0]!;
    this.#newest = Math.max(this.#newest, checkpoint);
    const early = this.#early;
    for (let i = 0; i < early.length; i += 3) {
      if (early[i] === 0 || early[i + 1]! > checkpoint) continue;
      const id = early[i]!;
      early[i] = 0;
      if (early[i + 1] !== checkpoint) continue;
      if (early[i + 2] === this.#hashes[slot]) this.#agree(id, checkpoint);
      else differ({ id, checkpoint });
    }
  }

  /** Takes the hash of a peer. */
  receive(id: number, checkpoint: number, hash: HashWord, differ: (mismatch: Mismatch) => void): void {
    const slot = checkpoint & (KEPT - 1);
    if (this.#checkpoints[slot] === checkpoint) {
      if (this.#hashes[slot] === hash[0]) this.#agree(id, checkpoint);
      else differ({ id, checkpoint });
    } else if (checkpoint > this.#newest) {
      // Peers are at most some checkpoints ahead. The oldest entries make room.
      const at = 3 * (this.#nextEarly++ & (KEPT - 1));
      this.#early[at] = id;
      this.#early[at + 1] = checkpoint;
      this.#early[at + 2] = hash[0]!;
    }
  }

  #agree(id: number, checkpoint: number): void {
    if (checkpoint > this.agreedWith(id)) this.#agreed.set(id, checkpoint);
  }

  /** Forgets all, as another state was loaded. */
  clear(): void {
    this.#checkpoints.fill(NaN);
    this.#early.fill(0);
    this.#newest = -1;
    this.#agreed.clear();
  }
}
