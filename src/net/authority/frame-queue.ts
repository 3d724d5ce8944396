import { nearest } from "../bits.js";
import { MAX_MESSAGE } from "../link.js";

/** Bits of a tick in a packet. */
const TICK_BITS = 14;
/** Bytes before what a packet carries: a 0, whether more packets of this tick follow, and the lowest bits of the tick. */
const HEAD = 2;
const MORE = 0x40;

/** Cuts a tick into packets. Each is memory of its own that never changes: links may keep it. */
export function packetsOf(tick: number, frame: Uint8Array): readonly Uint8Array[] {
  const room = MAX_MESSAGE - HEAD;
  const count = Math.max(1, Math.ceil(frame.length / room));
  return Array.from({ length: count }, (_, i) => {
    const part = frame.subarray(i * room, (i + 1) * room);
    const packet = new Uint8Array(HEAD + part.length);
    packet[0] = (i < count - 1 ? MORE : 0) | ((tick >> 8) & 0x3f);
    packet[1] = tick & 0xff;
    packet.set(part, HEAD);
    return packet;
  });
}

/** Bytes that may wait, unless a single tick is longer. */
const MAX_BYTES = 2 ** 22;
const FIRST_BYTES = 4096;

/**
 * The ticks that have arrived and were not stepped yet, as bytes. They are decoded when they are stepped: a thousand seats take a
 * few hundred bytes per tick like this, and some kilobytes as numbers.
 */
export class FrameQueue {
  bytes: Uint8Array = new Uint8Array(FIRST_BYTES);
  /** Where the oldest tick begins, and where the newest one ends, of which more parts may come. */
  #from = 0;
  #to = 0;
  /** Where each tick ends, by tick modulo the length, which is a power of two. */
  #ends = new Float64Array(64);
  /** The oldest tick, and the first one that has not arrived completely. */
  first = 0;
  end = 0;
  #isPartial = false;
  /** More arrived than may wait: everything was dropped. */
  hasOverflowed = false;

  /** Forgets everything. The next tick is of about `tick`. */
  reset(tick: number): void {
    this.#from = this.#to = 0;
    this.first = this.end = tick;
    this.#isPartial = false;
    this.hasOverflowed = false;
  }

  /** Takes a packet. `isFirst`: any tick may begin. Returns what is wrong with it. */
  push(packet: Uint8Array, isFirst: boolean): string | undefined {
    if (packet.length <= HEAD) return "a malformed packet";
    const low = ((packet[0]! & 0x3f) << 8) | packet[1]!;
    const tick = nearest(low, TICK_BITS, this.end);
    const isEmpty = this.first === this.end && !this.#isPartial;
    if (isFirst && isEmpty) this.first = this.end = tick;
    if (tick !== this.end) return `inputs of tick ${tick}, but tick ${this.end} is next`;
    this.#append(packet);
    this.#isPartial = (packet[0]! & MORE) !== 0;
    if (!this.#isPartial) this.#finish();
    return undefined;
  }

  #append(packet: Uint8Array): void {
    const length = packet.length - HEAD;
    if (this.#to + length > this.bytes.length) this.#makeRoom(length);
    const { bytes } = this;
    for (let i = 0, to = this.#to; i < length; i++) bytes[to + i] = packet[HEAD + i]!;
    this.#to += length;
  }

  /** Moves what waits to the start of the memory, or to more of it. */
  #makeRoom(length: number): void {
    const waiting = this.#to - this.#from;
    const shift = this.#from;
    const isRoomy = 2 * (waiting + length) <= this.bytes.length;
    const bytes = isRoomy ? this.bytes : new Uint8Array(2 * Math.max(FIRST_BYTES, waiting + length));
    if (isRoomy) bytes.copyWithin(0, this.#from, this.#to);
    else bytes.set(this.bytes.subarray(this.#from, this.#to));
    const mask = this.#ends.length - 1;
    for (let tick = this.first; tick < this.end; tick++) this.#ends[tick & mask]! -= shift;
    this.bytes = bytes;
    this.#from = 0;
    this.#to = waiting;
  }

  #finish(): void {
    if (this.end - this.first >= this.#ends.length) {
      const ends = new Float64Array(2 * this.#ends.length);
      const mask = this.#ends.length - 1;
      for (let tick = this.first; tick < this.end; tick++)
        ends[tick & (ends.length - 1)] = this.#ends[tick & mask]!;
      this.#ends = ends;
    }
    this.#ends[this.end & (this.#ends.length - 1)] = this.#to;
    this.end++;
    if (this.#to - this.#from <= MAX_BYTES || this.end - this.first < 2) return;
    this.reset(this.end);
    this.hasOverflowed = true;
  }

  /** Where the oldest tick lies in `bytes`. */
  get from(): number {
    return this.#from;
  }
  get to(): number {
    return this.#ends[this.first & (this.#ends.length - 1)]!;
  }

  /** Drops the oldest tick. */
  shift(): void {
    this.#from = this.to;
    this.first++;
    if (this.first === this.end && !this.#isPartial) this.#from = this.#to = 0;
  }

  /** Drops the ticks before one. */
  dropBefore(tick: number): void {
    while (this.first < tick && this.first < this.end) this.shift();
  }
}
