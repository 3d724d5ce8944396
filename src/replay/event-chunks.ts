import { knownChunk } from "./chunk.js";
import { FLAG, WIDE } from "./format.js";
import { NumberList } from "./number-list.js";
import { ByteReader } from "./varint.js";

/**
 * The chunks of things that happen in few ticks: commands, and seats that change. Each begins with the tick of its first event.
 * Its events are in order, and come after those of the chunks before it.
 */
export class EventChunks {
  /** The tick of the last event; -1 if there is none. */
  last = -1;
  readonly #bytes: Uint8Array;
  readonly #firsts = new NumberList();
  readonly #offsets = new NumberList();
  /** For each chunk, the first tick whose events were dropped, as the recording went back. */
  readonly #limits = new NumberList();

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#firsts.length;
  }

  /** Adds a valid chunk, at an offset, with events from tick `first` to tick `last`. */
  add(at: number, first: number, last: number): void {
    this.#firsts.push(first);
    this.#offsets.push(at);
    this.#limits.push(Infinity);
    this.last = last;
  }

  /** Drops the events of all ticks from `tick` on. */
  dropFrom(tick: number): void {
    const count = this.#firsts.countUpTo(tick - 1);
    for (const list of [this.#firsts, this.#offsets, this.#limits]) list.truncate(count);
    if (count > 0) this.#limits.setLast(Math.min(tick, this.#limits.at(count - 1)));
    this.last = count > 0 ? Math.min(this.last, tick - 1) : -1;
  }

  /** The index of the last chunk that begins at a tick or before it; -1 if there is none. */
  indexOf(tick: number): number {
    return this.#firsts.countUpTo(tick) - 1;
  }

  /** The first tick of a chunk; Infinity if there is no such chunk. */
  firstOf(index: number): number {
    return index < this.length ? this.#firsts.at(index) : Infinity;
  }

  /** Events of this tick and of later ones in the chunk were dropped. */
  limitOf(index: number): number {
    return this.#limits.at(index);
  }

  /** Returns a reader of the events of a chunk. */
  readerOf(index: number): ByteReader {
    const { from, to } = knownChunk(this.#bytes, this.#offsets.at(index));
    return new ByteReader(this.#bytes, from, to);
  }
}

/** Reads events one by one: the ticks since the previous one (for the first: its tick), a seat with a flag, and bytes after their length. */
export class EventReader {
  /** The last event that was read: its tick, its seat, whether the flag is set, and the offsets of the start and the end of its bytes. */
  tick = 0;
  seat = 0;
  isFlagged = false;
  from = 0;
  to = 0;
  readonly #reader: ByteReader;

  constructor(reader: ByteReader) {
    this.#reader = reader;
  }

  /** Reads the next event. Returns false after the last one, and for one that is invalid. */
  next(): boolean {
    const reader = this.#reader;
    const gap = reader.varint();
    const byte = reader.byte();
    // Seats from 64 on take a second byte.
    const high = (byte & WIDE) === 0 ? 0 : reader.byte();
    const length = reader.varint();
    if (gap < 0 || byte < 0 || high < 0 || length < 0 || length > reader.left) return false;
    if ((byte & WIDE) !== 0 && high === 0) return false;
    this.tick += gap;
    this.seat = high * WIDE + (byte & (WIDE - 1));
    this.isFlagged = byte >= FLAG;
    this.from = reader.at;
    this.to = reader.at += length;
    return true;
  }

  /** Whether no event follows. */
  get isLast(): boolean {
    return this.#reader.left === 0;
  }
}
