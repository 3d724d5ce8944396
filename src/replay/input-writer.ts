import { KINDS, SEVERAL } from "./format.js";
import { MOST_VARINT, varints, writeVarint } from "./varint.js";

const ROOM = 4096;
/** A change in a word takes no more: its number, a mask, four bytes. */
const MOST_CHANGE = MOST_VARINT + 1 + 4;

/**
 * The inputs of ticks that follow one another, as what changed and when. A change is the number
 * (gap × words + word) × 5 + kind, with the ticks since the change before; then the changed bytes, xor what they were.
 */
export class InputWriter {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #most: number;
  #at = 0;
  #from = 0;
  #ticks = 0;
  /** The tick of the last change, counted from the first. */
  #changed = 0;

  constructor(width: number) {
    this.#words = new Uint32Array(width);
    this.#bytes = new Uint8Array(ROOM + width * MOST_CHANGE);
    this.#most = ROOM;
  }

  get from(): number {
    return this.#from;
  }
  get ticks(): number {
    return this.#ticks;
  }
  /** Whether another tick might not find room. */
  get isFull(): boolean {
    return this.#at > this.#most;
  }

  /** Begins with a tick: nobody does anything before. */
  begin(tick: number): void {
    this.#words.fill(0);
    this.#from = tick;
    this.#at = this.#ticks = this.#changed = 0;
  }

  /** What all players do in the next tick. */
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
      const place = at++;
      let mask = 0;
      for (let i = 0; i < 4; i++) {
        const byte = (change >>> (8 * i)) & 255;
        if (byte === 0) continue;
        mask |= 1 << i;
        bytes[at++] = byte;
      }
      bytes[place] = mask;
    } else bytes[at++] = change >>> (8 * low);
    this.#at = at;
    this.#changed = this.#ticks;
    before[word] = before[word]! ^ change;
  }

  /** The body of its chunk: the first tick, how many there are, the changes. */
  body(): [Uint8Array, Uint8Array] {
    return [varints(this.#from, this.#ticks), this.#bytes.subarray(0, this.#at)];
  }
}
