import type { Packing } from "../../input/index.js";
import type { BitReader } from "../bits.js";
import { bitsOfWords } from "./lockstep-frame.js";
import { MAX_ROWS } from "./lockstep-packet.js";

/** Changes that wait, at most: what is older is skipped. */
const CAPACITY = MAX_ROWS;
/** Ticks after which a queue that was never empty meanwhile gets shorter. */
const SHORTEN_EVERY = 64;

/**
 * The inputs of one client in lockstep, on the server. It gets only changes, and all of them, in order. Each is executed in the next
 * tick that has none of this client yet, so a short press is never lost.
 */
export class InputQueue {
  readonly #wordBits: readonly number[];
  readonly #waiting: Uint32Array;
  readonly #width: number;
  /** What the client does in this tick. */
  readonly row: Uint32Array;
  /** How many changes have arrived, and how many of them were executed or skipped. */
  #arrived = 0;
  #taken = 0;
  /** Changes that were skipped, as too many waited. */
  skipped = 0;
  /** The shortest that the queue was lately, and for how many ticks that was measured. */
  #shortest = Infinity;
  #ticks = 0;

  constructor(packing: Packing, seats: readonly number[]) {
    const bits = bitsOfWords(packing);
    this.#wordBits = seats.flatMap(() => bits);
    this.#width = this.#wordBits.length;
    this.#waiting = new Uint32Array(CAPACITY * this.#width);
    this.row = new Uint32Array(this.#width);
  }

  /** How many changes were executed. */
  get executed(): number {
    return this.#taken - this.skipped;
  }
  /** How many changes wait. */
  get waiting(): number {
    return this.#arrived - this.#taken;
  }

  /** Takes the rows of a packet, after its head. Returns what is wrong with them. */
  receive(reader: BitReader, rows: number): string | undefined {
    const start = reader.position;
    for (let i = 0; i < rows; i++)
      for (let word = 0; word < this.#width; word++) reader.read(this.#wordBits[word]!);
    if (!reader.isAtEnd) return "malformed inputs";
    reader.position = start;
    for (let i = 0; i < rows; i++) {
      if (this.waiting === CAPACITY) this.#skip();
      const at = (this.#arrived++ % CAPACITY) * this.#width;
      for (let word = 0; word < this.#width; word++)
        this.#waiting[at + word] = reader.read(this.#wordBits[word]!);
    }
    return undefined;
  }

  #skip(): void {
    this.#taken++;
    this.skipped++;
  }

  /** Goes on to the next change, if there is one. */
  advance(): void {
    const { waiting } = this;
    if (waiting > 0) {
      const at = (this.#taken++ % CAPACITY) * this.#width;
      for (let word = 0; word < this.#width; word++) this.row[word] = this.#waiting[at + word]!;
    }
    // Inputs that change in every tick would never catch up after a delay.
    this.#shortest = Math.min(this.#shortest, this.waiting);
    if (++this.#ticks < SHORTEN_EVERY) return;
    if (this.#shortest > 0) this.#skip();
    this.#shortest = Infinity;
    this.#ticks = 0;
  }
}
