import { bitsFor, type BitReader, type BitWriter } from "./bits.js";

/** The words of a seat, and which bits of them are in use. A packing has this. */
export interface RowShape {
  readonly words: number;
  readonly slots: readonly {
    readonly word: number;
    readonly shift: number;
    readonly field: { readonly bits: number };
  }[];
}

/** Where rows are read from. */
export interface RowSource {
  /** Reads the inputs of one seat into `out`, from `at` on. */
  readSeat(tick: number, seat: number, out: Uint32Array, at: number): void;
}

/** Takes rows that are read. */
export interface RowSink {
  /** Valid only during the call. */
  takeRow(tick: number, row: Uint32Array): void;
}

/**
 * Codes the inputs of one stream, tick by tick, as changes from the tick before. A tick is a row: the words of all seats of the
 * stream. Inputs change rarely, so most rows cost nothing.
 */
export class InputRows {
  readonly seats: readonly number[];
  /** The first tick of the stream. The row before it is all zero. */
  from = 0;
  /** The bits in use of each word of a row. */
  readonly #wordBits: readonly number[];
  readonly #width: number;
  readonly #bits: number;
  readonly #row: Uint32Array;
  readonly #before: Uint32Array;

  constructor({ slots, words }: RowShape, seats: readonly number[]) {
    const bits = Array.from({ length: words }, (_, word) =>
      Math.max(
        0,
        ...slots.filter((slot) => slot.word === word).map(({ shift, field }) => shift + field.bits),
      ),
    );
    this.seats = seats;
    this.#wordBits = seats.flatMap(() => bits);
    this.#width = words;
    this.#bits = this.#wordBits.reduce((sum, count) => sum + count, 0);
    this.#row = new Uint32Array(this.#wordBits.length);
    this.#before = new Uint32Array(this.#wordBits.length);
  }

  /** Writes the rows of the ticks from `first` to `end - 1`. The receiver knows the row before `first`. */
  write(writer: BitWriter, log: RowSource, first: number, end: number): void {
    if (this.#bits === 0) return;
    this.#readRow(log, first - 1, this.#before);
    for (let tick = first, next = first; tick < end; tick = next) {
      while (next < end && !this.#differs(log, next)) next++;
      const isChange = next < end;
      writer.write(isChange ? 1 : 0, 1);
      if (!isChange) return;
      writer.write(next - tick, bitsFor(end - tick - 1));
      this.#writeChange(writer);
      this.#before.set(this.#row);
      next++;
    }
  }

  /** Reads rows that follow on the one of `log` before `first`, and passes them to `sink`. Without these two, it only checks the code. */
  read(reader: BitReader, first: number, end: number, log?: RowSource, sink?: RowSink): void {
    if (log) this.#readRow(log, first - 1, this.#row);
    this.#readChanges(reader, first, end, sink);
  }

  #readChanges(reader: BitReader, first: number, end: number, sink?: RowSink): void {
    if (this.#bits === 0) {
      for (let tick = first; sink && tick < end; tick++) sink.takeRow(tick, this.#row);
      return;
    }
    let tick = first;
    while (tick < end && !reader.hasFailed) {
      if (reader.read(1) === 0) break;
      const change = tick + reader.read(bitsFor(end - tick - 1));
      if (sink) for (; tick < change && tick < end; tick++) sink.takeRow(tick, this.#row);
      tick = change;
      this.#readChange(reader);
      if (sink && tick < end) sink.takeRow(tick, this.#row);
      tick++;
    }
    if (sink && !reader.hasFailed) for (; tick < end; tick++) sink.takeRow(tick, this.#row);
  }

  /** Writes rows for a reader that does not know the row before `first`: the first one is complete. Takes at least one byte. */
  writeFrom(writer: BitWriter, log: RowSource, first: number, end: number): void {
    writer.write(1, 1);
    if (first >= end) return;
    this.#readRow(log, first, this.#row);
    this.#wordBits.forEach((bits, i) => writer.write(this.#row[i]!, bits));
    this.write(writer, log, first + 1, end);
  }

  /** Reads what `writeFrom` wrote. */
  readFrom(reader: BitReader, first: number, end: number, sink: RowSink): void {
    if (reader.read(1) !== 1 || first >= end) return;
    this.#wordBits.forEach((bits, i) => (this.#row[i] = reader.read(bits)));
    if (reader.hasFailed) return;
    sink.takeRow(first, this.#row);
    this.#readChanges(reader, first + 1, end, sink);
  }

  #readRow(log: RowSource, tick: number, row: Uint32Array): void {
    if (tick < this.from) row.fill(0);
    else for (let i = 0; i < this.seats.length; i++) log.readSeat(tick, this.seats[i]!, row, i * this.#width);
  }

  /** Reads the row of a tick, and compares it with the one before. */
  #differs(log: RowSource, tick: number): boolean {
    this.#readRow(log, tick, this.#row);
    for (let i = 0; i < this.#row.length; i++) if (this.#row[i] !== this.#before[i]) return true;
    return false;
  }

  /** Writes the index of the one bit that changed, or the words that changed. */
  #writeChange(writer: BitWriter): void {
    const flipped = this.#onlyFlippedBit();
    writer.write(flipped >= 0 ? 1 : 0, 1);
    if (flipped >= 0) {
      writer.write(flipped, bitsFor(this.#bits - 1));
      return;
    }
    const words = this.#wordBits.length;
    for (let i = 0; i < words; i++) {
      const isChanged = this.#row[i] !== this.#before[i];
      if (words > 1) writer.write(isChanged ? 1 : 0, 1);
      if (isChanged) writer.write(this.#row[i]!, this.#wordBits[i]!);
    }
  }

  #readChange(reader: BitReader): void {
    if (reader.read(1) === 1) {
      this.#flip(reader.read(bitsFor(this.#bits - 1)));
      return;
    }
    const words = this.#wordBits.length;
    for (let i = 0; i < words; i++)
      if (words === 1 || reader.read(1) === 1) this.#row[i] = reader.read(this.#wordBits[i]!);
  }

  /** Returns the index of the only bit that differs from the row before, or -1. */
  #onlyFlippedBit(): number {
    let found = -1;
    for (let i = 0, start = 0; i < this.#row.length; i++) {
      const flips = (this.#row[i]! ^ this.#before[i]!) >>> 0;
      if (flips !== 0) {
        if (found >= 0 || (flips & (flips - 1)) !== 0) return -1;
        found = start + 31 - Math.clz32(flips);
      }
      start += this.#wordBits[i]!;
    }
    return found;
  }

  /** Flips a bit. An index beyond the last one, which only a damaged packet has, changes nothing. */
  #flip(index: number): void {
    for (let i = 0, start = 0; i < this.#row.length; i++) {
      const bits = this.#wordBits[i]!;
      if (index < start + bits) {
        this.#row[i] = this.#row[i]! ^ (1 << (index - start));
        return;
      }
      start += bits;
    }
  }
}
