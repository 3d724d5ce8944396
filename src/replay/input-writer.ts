import { KINDS, SEVERAL } from "./format.js";
import { MAX_VARINT, varints, writeVarint } from "./varint.js";

const ROOM = 4096;
/** Most bytes of a change: its number, a mask and four bytes. */
const MAX_CHANGE = MAX_VARINT + 1 + 4;

/**
 * Encodes the inputs of consecutive ticks as changes. A change is the number (gap × words + word) × 5 + kind, where gap is the
 * ticks since the previous change; then the changed bytes, xor their previous values.
 */
export class InputWriter {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  #at = 0;
  #from = 0;
  #ticks = 0;
  /** The tick of the last change, counted from the first. */
  #changed = 0;

  constructor(width: number) {
    this.#words = new Uint32Array(width);
    this.#bytes = new Uint8Array(ROOM + width * MAX_CHANGE);
  }

  get from(): number {
    return this.#from;
  }
  get ticks(): number {
    return this.#ticks;
  }
  /** Whether there may be no room for another tick. */
  get isFull(): boolean {
    return this.#at > ROOM;
  }

  /** Begins a chunk at a tick, with all inputs at 0. */
  begin(tick: number): void {
    this.#words.fill(0);
    this.#from = tick;
    this.#at = this.#ticks = this.#changed = 0;
  }

  /** Adds the inputs of all players in the next tick. */
  add(words: Uint32Array): void {
    const before = this.#words;
    for (let word = 0; word < before.length; word++) {
      const change = (before[word]! ^ words[word]!) >>> 0;
      if (change !== 0) this.#write(word, change);
    }
    this.#ticks++;
  }

  #write(word: number, change: number): void {
    const before = this.#words;
    const bytes = this.#bytes;
    const low = (31 - Math.clz32(change & -change)) >>> 3;
    const high = (31 - Math.clz32(change)) >>> 3;
    const gap = this.#ticks - this.#changed;
    const kind = low === high ? low : SEVERAL;
    let at = writeVarint(bytes, this.#at, (gap * before.length + word) * KINDS + kind);
    if (kind === SEVERAL) {
      const maskAt = at++;
      let mask = 0;
      for (let i = 0; i < 4; i++) {
        const byte = (change >>> (8 * i)) & 255;
        if (byte === 0) continue;
        mask |= 1 << i;
        bytes[at++] = byte;
      }
      bytes[maskAt] = mask;
    } else bytes[at++] = change >>> (8 * low);
    this.#at = at;
    this.#changed = this.#ticks;
    before[word] = before[word]! ^ change;
  }

  /** Returns the body of the chunk: first tick, number of ticks, changes. */
  body(): [Uint8Array, Uint8Array] {
    return [varints(this.#from, this.#ticks), this.#bytes.subarray(0, this.#at)];
  }
}
