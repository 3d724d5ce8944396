import { FLAG, WIDE } from "./format.js";
import { MAX_VARINT, writeVarint } from "./varint.js";

/** A chunk should end after about this many bytes. */
const ROOM = 16_384;

/** Encodes the events of a chunk: for each, the ticks since the previous one (for the first: its tick), a seat with a flag, and bytes after their length. */
export class EventWriter {
  #bytes = new Uint8Array(256);
  #at = 0;
  #tick = 0;

  get isEmpty(): boolean {
    return this.#at === 0;
  }
  /** Whether the chunk should end after this tick. */
  get isFull(): boolean {
    return this.#at > ROOM;
  }

  /** Begins a chunk. */
  begin(): void {
    this.#at = this.#tick = 0;
  }

  add(tick: number, seat: number, data: Uint8Array, isFlagged = false): void {
    this.#reserve(2 * MAX_VARINT + 2 + data.length);
    const bytes = this.#bytes;
    let at = writeVarint(bytes, this.#at, tick - this.#tick);
    bytes[at++] = (seat % WIDE) + (seat >= WIDE ? WIDE : 0) + (isFlagged ? FLAG : 0);
    if (seat >= WIDE) bytes[at++] = Math.floor(seat / WIDE);
    at = writeVarint(bytes, at, data.length);
    bytes.set(data, at);
    this.#at = at + data.length;
    this.#tick = tick;
  }

  #reserve(room: number): void {
    if (this.#at + room <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * (this.#at + room));
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  /** Returns the body of the chunk. It is valid until the next call. */
  body(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
