import type { Packing } from "../../input/index.js";
import type { BitReader } from "../bits.js";
import { InputRows, type RowSink, type RowSource } from "../input-rows.js";
import type { InputHead } from "./input-packet.js";
import { EARLY_PARTS, MAX_REPORTS, type ServerHead } from "./tick-packet.js";

/** Ticks of a client's inputs that the server keeps. */
const CAPACITY = 1024;
/** Ticks that a client may be ahead of the server. */
export const MAX_AHEAD = 256;
/** Inputs that are older than this many ticks are forgotten. */
const MAX_AGE = 600;
/** Reports that wait to be sent. */
const MAX_WAITING = 8;
/** Words of a report: the first tick, the end, and how many parts of a tick the inputs came early. */
const REPORT_WORDS = 3;

/** Where the slots begin. */
const SLOTS = MAX_WAITING * REPORT_WORDS;

/** Readers of rows, by the number of seats. All clients of a game share it, so that it stays in the processor's cache. */
const sharedRows = new WeakMap<Packing, InputRows[]>();

function rowsFor(packing: Packing, seats: number): InputRows {
  const all = sharedRows.get(packing) ?? [];
  sharedRows.set(packing, all);
  return (all[seats] ??= new InputRows(
    packing,
    Array.from({ length: seats }, (_, seat) => seat),
  ));
}

/**
 * The inputs of one client, as they arrive. The server takes them out tick by tick, and never waits. What a packet needs lies together:
 * with many clients, memory that is not in the processor's cache takes most of the time.
 */
export class InputBuffer implements RowSource, RowSink {
  readonly #rows: InputRows;
  /** Words per seat, and per slot: one more than those of all seats. */
  readonly #width: number;
  readonly #slotWords: number;
  /**
   * First the reports that wait, then a slot per tick: the tick + 1, 0 if there is none, then its words. There may be gaps, where the
   * client jumped ahead.
   */
  readonly #words: Uint32Array;
  /** The first tick whose inputs count. */
  readonly from: number;
  /** The end of the newest inputs. */
  end: number;
  /** Ticks that were stepped without the client's input, and inputs that came after their tick. */
  missing = 0;
  late = 0;
  /** Inputs that came in time. */
  inTime = 0;
  #reportsAdded = 0;
  #reportsTaken = 0;
  /** The first tick of a packet that is new. */
  #firstNew = 0;

  constructor(packing: Packing, seats: readonly number[], from: number) {
    this.#rows = rowsFor(packing, seats.length);
    this.#width = packing.words;
    this.#slotWords = 1 + seats.length * packing.words;
    this.#words = new Uint32Array(SLOTS + CAPACITY * this.#slotWords);
    this.from = from;
    this.end = from;
  }

  /**
   * Takes the rows of a packet, after its head. `next` is the tick that the server steps next, `untilNext` how many ticks it is until
   * then. Returns what is wrong with the packet, or undefined.
   */
  receive(reader: BitReader, head: InputHead, next: number, untilNext: number): string | undefined {
    const { first, end, isComplete } = head;
    if (end > next + MAX_AHEAD) return `inputs of tick ${end - 1}, but tick ${next} is next`;
    // False for a packet that is old, repeats what is known, or is coded against a missing row: a new start has overtaken it.
    const isNews = end > this.end && first < end && (isComplete || this.#has(first - 1));
    const from = (this.#firstNew = isNews ? Math.max(first, this.end) : end);
    // What a malformed packet writes is not read, as `end` stays what it is.
    if (isComplete) this.#rows.readFrom(reader, first, end, this);
    else this.#rows.read(reader, first, end, isNews ? this : undefined, this);
    if (!reader.isAtEnd) return "malformed inputs";
    if (!isNews) return undefined;
    this.#count(from, end, next, untilNext);
    this.end = end;
    return undefined;
  }

  /** Called while rows are read. */
  takeRow(tick: number, row: Uint32Array): void {
    if (tick < this.#firstNew) return;
    const at = this.#slotOf(tick);
    this.#words[at] = tick + 1;
    for (let i = 0; i < row.length; i++) this.#words[at + 1 + i] = row[i]!;
  }

  /** Reads the inputs of one of the client's seats. Before the first tick, they are zero. */
  readSeat(tick: number, seat: number, out: Uint32Array, to: number): void {
    const at = this.#slotOf(tick) + 1 + seat * this.#width;
    for (let i = 0; i < this.#width; i++) out[to + i] = tick < this.from ? 0 : this.#words[at + i]!;
  }

  #slotOf(tick: number): number {
    return SLOTS + (tick % CAPACITY) * this.#slotWords;
  }

  #count(first: number, end: number, next: number, untilNext: number): void {
    const late = Math.min(end, next) - first;
    if (late > 0) this.late += late;
    this.inTime += end - first - Math.max(0, late);
    const at = (this.#reportsAdded++ % MAX_WAITING) * REPORT_WORDS;
    this.#words[at] = first;
    this.#words[at + 1] = end;
    this.#words[at + 2] = Math.round((end - 1 - next + untilNext) * EARLY_PARTS);
    if (this.#reportsAdded - this.#reportsTaken > MAX_WAITING) this.#reportsTaken++;
  }

  /** Moves reports of when inputs came into a packet. */
  takeReports(head: ServerHead): void {
    const words = this.#words;
    head.reportCount = 0;
    while (head.reportCount < MAX_REPORTS && this.#reportsTaken < this.#reportsAdded) {
      const at = (this.#reportsTaken++ % MAX_WAITING) * REPORT_WORDS;
      // They may be late: then the word is that of a negative number.
      head.addReport(words[at]!, words[at + 1]!, (words[at + 2]! | 0) / EARLY_PARTS);
    }
  }

  /** Whether any input has arrived. */
  get hasBegun(): boolean {
    return this.end > this.from;
  }

  #has(tick: number): boolean {
    return tick >= 0 && this.#words[this.#slotOf(tick)] === tick + 1;
  }

  /** Reads the newest inputs of the client that are not after `tick` into `out`. Returns their tick; -1 if none came lately. */
  readLast(tick: number, out: Uint32Array): number {
    for (let last = Math.min(tick, this.end - 1); last > tick - MAX_AGE && last >= 0; last--) {
      if (!this.#has(last)) continue;
      const at = this.#slotOf(last) + 1;
      for (let i = 0; i < this.#slotWords - 1; i++) out[i] = this.#words[at + i]!;
      return last;
    }
    return -1;
  }
}
