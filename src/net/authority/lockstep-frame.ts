// What happened in one tick of a game in lockstep, as bytes. Everybody gets the same ones, so they are written once:
//
//   1 bit, then 32 bits if it is set: the hash of the state after the tick
//   1 bit: commands follow
//   for each seat that changes: its number minus that of the one before (for the first: plus 1), as a Golomb code; the change. 0 ends.
//   in whole bytes, to the end: the commands, as command-list.ts has them
//
// A change is a 1 and the number of the only bit that flips; or a 0, whether the seat is absent, and, if it is not, its words.
import type { Packing } from "../../input/index.js";
import { NO_COMMANDS, type PackedCommand } from "../../sim/commands.js";
import type { AnySimulation } from "../../sim/index.js";
import { BitReader, bitsFor, BitWriter } from "../bits.js";
import { listLength, readCommands, writeCommands } from "../command-list.js";
import { MAX_IN_MESSAGE } from "./command-message.js";

/** Typical numbers of seats from one that changes to the next, as the order of their code. */
const GAP_ORDER = 2;
const MAX_GAP_BITS = 32;

/** Returns the bits in use of each word of a seat. */
export const bitsOfWords = ({ slots, words }: Packing): readonly number[] =>
  Array.from({ length: words }, (_, word) =>
    Math.max(0, ...slots.filter((slot) => slot.word === word).map(({ shift, field }) => shift + field.bits)),
  );

/** What all seats did in the last tick: the next one is coded against it. The words of absent seats are 0. */
class SeatRow {
  readonly words: Uint32Array;
  readonly absent: Uint8Array;
  protected readonly simulation: AnySimulation;
  protected readonly wordBits: readonly number[];
  protected readonly flipBits: number;

  constructor(simulation: AnySimulation) {
    const { packing, players } = simulation;
    this.simulation = simulation;
    this.words = new Uint32Array(players * packing.words);
    this.absent = new Uint8Array(players);
    this.wordBits = bitsOfWords(packing);
    this.flipBits = this.wordBits.reduce((sum, bits) => sum + bits, 0);
  }
}

/** Writes ticks. */
export class FrameWriter extends SeatRow {
  readonly #writer: BitWriter;

  constructor(simulation: AnySimulation) {
    super(simulation);
    const perSeat = MAX_GAP_BITS + 2 + this.flipBits;
    this.#writer = new BitWriter(8 + Math.ceil((simulation.players * perSeat) / 8));
  }

  /** Returns the next tick. The bytes are valid until the next call. `hash` is -1 if there is none. */
  write(
    words: Uint32Array,
    absent: Uint8Array,
    hash: number,
    commands: readonly PackedCommand[],
  ): Uint8Array {
    const writer = this.#writer;
    writer.reset();
    writer.write(hash < 0 ? 0 : 1, 1);
    if (hash >= 0) writer.write(hash, 32);
    writer.write(commands.length > 0 ? 1 : 0, 1);
    const width = this.wordBits.length;
    let last = -1;
    for (let seat = 0; seat < absent.length; seat++) {
      const at = seat * width;
      const isAbsent = absent[seat] === 1;
      let isSame = absent[seat] === this.absent[seat];
      // What bots of absent seats did is computed by everybody.
      if (isSame && !isAbsent)
        for (let i = at; i < at + width; i++) if (words[i] !== this.words[i]) isSame = false;
      if (isSame) continue;
      writer.writeGolomb(seat - last, GAP_ORDER);
      this.#writeChange(seat, words, isAbsent);
      last = seat;
    }
    writer.writeGolomb(0, GAP_ORDER);
    const rows = writer.bytes();
    if (commands.length === 0) return rows;
    const bytes = new Uint8Array(rows.length + listLength(commands));
    bytes.set(rows);
    writeCommands(bytes, rows.length, commands);
    return bytes;
  }

  #writeChange(seat: number, words: Uint32Array, isAbsent: boolean): void {
    const writer = this.#writer;
    const { wordBits } = this;
    const width = wordBits.length;
    const at = seat * width;
    const flipped = isAbsent || this.absent[seat] === 1 ? -1 : this.#onlyFlip(at, words);
    writer.write(flipped >= 0 ? 1 : 0, 1);
    if (flipped >= 0) writer.write(flipped, bitsFor(this.flipBits - 1));
    else {
      writer.write(isAbsent ? 1 : 0, 1);
      if (!isAbsent) for (let i = 0; i < width; i++) writer.write(words[at + i]!, wordBits[i]!);
    }
    this.absent[seat] = isAbsent ? 1 : 0;
    for (let i = 0; i < width; i++) this.words[at + i] = isAbsent ? 0 : words[at + i]!;
  }

  /** Returns the number of the only bit that differs, or -1. */
  #onlyFlip(at: number, words: Uint32Array): number {
    let found = -1;
    for (let i = 0, start = 0; i < this.wordBits.length; i++) {
      const flips = (words[at + i]! ^ this.words[at + i]!) >>> 0;
      if (flips !== 0) {
        if (found >= 0 || (flips & (flips - 1)) !== 0) return -1;
        found = start + 31 - Math.clz32(flips);
      }
      start += this.wordBits[i]!;
    }
    return found;
  }
}

/** Reads ticks. */
export class FrameReader extends SeatRow {
  readonly #reader = new BitReader();
  /** The commands of the last tick, and the hash after it: -1 if there is none. */
  commands: readonly PackedCommand[] = NO_COMMANDS;
  hash = -1;

  /** Takes over what all seats did in the tick before the next one: for each seat its words, then whether it is absent. */
  load(row: Uint32Array): void {
    const width = this.wordBits.length;
    for (let seat = 0; seat < this.absent.length; seat++) {
      const from = seat * (width + 1);
      this.absent[seat] = row[from + width] === 0 ? 0 : 1;
      for (let i = 0; i < width; i++) this.words[seat * width + i] = row[from + i]!;
    }
  }

  /** Reads the next tick from the bytes from `from` to `to - 1`. Returns false if it is damaged: then the row is of no use any more. */
  read(bytes: Uint8Array, from: number, to: number): boolean {
    const reader = this.#reader;
    reader.start(bytes, from, to);
    this.hash = reader.read(1) === 1 ? reader.read(32) : -1;
    const hasCommands = reader.read(1) === 1;
    this.commands = NO_COMMANDS;
    for (let seat = -1; ;) {
      const gap = reader.readGolomb(GAP_ORDER);
      if (reader.hasFailed) return false;
      if (gap === 0) break;
      seat += gap;
      if (seat >= this.absent.length || !this.#readChange(seat)) return false;
    }
    if (!hasCommands) return reader.isAtEnd;
    const list = bytes.subarray((reader.position + 7) >> 3, to);
    const commands = readCommands(list, 0, this.simulation, MAX_IN_MESSAGE);
    if (!commands) return false;
    this.commands = commands;
    return true;
  }

  #readChange(seat: number): boolean {
    const reader = this.#reader;
    const { wordBits, words } = this;
    const width = wordBits.length;
    const at = seat * width;
    if (reader.read(1) === 1) return this.#flip(at, reader.read(bitsFor(this.flipBits - 1)));
    const isAbsent = reader.read(1) === 1;
    this.absent[seat] = isAbsent ? 1 : 0;
    for (let i = 0; i < width; i++) words[at + i] = isAbsent ? 0 : reader.read(wordBits[i]!);
    return true;
  }

  /** Flips a bit. Returns false if there is no such bit. */
  #flip(at: number, index: number): boolean {
    let start = 0;
    for (let i = 0; i < this.wordBits.length; i++) {
      const bits = this.wordBits[i]!;
      if (index < start + bits) {
        this.words[at + i] = this.words[at + i]! ^ (1 << (index - start));
        return true;
      }
      start += bits;
    }
    return false;
  }
}
