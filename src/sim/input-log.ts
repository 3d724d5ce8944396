/**
 * Keeps the packed inputs of all players by tick, for the last `capacity` ticks. Entries can be rewritten, as a predicted
 * input may turn out to be wrong.
 */
export class InputLog {
  readonly #words: Uint32Array;
  readonly #capacity: number;
  /** Words per player, and per tick. */
  readonly #playerWords: number;
  readonly #tickWords: number;

  constructor(players: number, playerWords: number, capacity: number) {
    this.#playerWords = playerWords;
    this.#tickWords = players * playerWords;
    this.#capacity = capacity;
    this.#words = new Uint32Array(capacity * this.#tickWords);
  }

  /** Writes the inputs of all players. */
  write(tick: number, words: Uint32Array): void {
    this.#words.set(words, this.#indexOf(tick));
  }

  /** Reads the inputs of all players into `out`. */
  read(tick: number, out: Uint32Array): void {
    const index = this.#indexOf(tick);
    for (let i = 0; i < this.#tickWords; i++) out[i] = this.#words[index + i]!;
  }

  /** Writes the inputs of one player, which lie in `words` from `at` on. Returns whether they differ from the old ones. */
  writePlayer(tick: number, player: number, words: Uint32Array, at = 0): boolean {
    const index = this.#indexOf(tick) + player * this.#playerWords;
    let isChanged = false;
    for (let i = 0; i < this.#playerWords; i++) {
      if (this.#words[index + i] !== words[at + i]) isChanged = true;
      this.#words[index + i] = words[at + i]!;
    }
    return isChanged;
  }

  /** Whether the inputs of a player are those in `words`, from `at` on. */
  isPlayer(tick: number, player: number, words: Uint32Array, at = 0): boolean {
    const index = this.#indexOf(tick) + player * this.#playerWords;
    for (let i = 0; i < this.#playerWords; i++) if (this.#words[index + i] !== words[at + i]) return false;
    return true;
  }

  /** Reads the inputs of one player into `out`, from `at` on. */
  readPlayer(tick: number, player: number, out: Uint32Array, at = 0): void {
    const index = this.#indexOf(tick) + player * this.#playerWords;
    for (let i = 0; i < this.#playerWords; i++) out[at + i] = this.#words[index + i]!;
  }

  #indexOf(tick: number): number {
    return (tick % this.#capacity) * this.#tickWords;
  }
}
