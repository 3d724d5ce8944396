/** Writes numbers of any width into a buffer, bit by bit. Reuse one: writing allocates nothing. */
export class BitWriter {
  readonly #buffer: Uint8Array;
  readonly #views: Uint8Array[] = [];
  #bits = 0;
  #isFull = false;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity);
  }

  /** Whether more was written than fits. The rest was dropped. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** How many bytes were written. */
  get length(): number {
    return (this.#bits + 7) >>> 3;
  }

  reset(): void {
    this.#bits = 0;
    this.#isFull = false;
  }

  /** Writes the lowest `count` bits of a value, at most 32. */
  write(value: number, count: number): void {
    if (this.#bits + count > this.#buffer.length * 8) {
      this.#isFull = true;
      return;
    }
    const buffer = this.#buffer;
    let at = this.#bits;
    for (let left = count; left > 0;) {
      const room = 8 - (at & 7);
      const taken = left < room ? left : room;
      const piece = ((value >>> (left - taken)) & ((1 << taken) - 1)) << (room - taken);
      // The first bits of a byte replace what a message before has left there.
      buffer[at >>> 3] = room === 8 ? piece : buffer[at >>> 3]! | piece;
      at += taken;
      left -= taken;
    }
    this.#bits = at;
  }

  /** Writes a whole number from 0 on as an Exp-Golomb code: small numbers are short. Numbers below 2 ** order take order + 1 bits. */
  writeGolomb(value: number, order: number): void {
    const high = (value >>> order) + 1;
    const width = 32 - Math.clz32(high);
    const total = 2 * width - 1 + order;
    // Zeros, one less than the bits of `high`; then `high`, and the lowest bits of the value. Mostly at once.
    if (total < 32) {
      this.write(value + (1 << order), total);
      return;
    }
    this.write(0, width - 1);
    this.write(high, width);
    this.write(value & ((1 << order) - 1), order);
  }

  /** Writes any whole number: 0, -1, 1, -2, … have growing codes. */
  writeSigned(value: number, order: number): void {
    this.writeGolomb(value < 0 ? -2 * value - 1 : 2 * value, order);
  }

  /** Returns the bytes written so far. They are valid until the next write or reset. */
  bytes(): Uint8Array {
    // One view per length: packets have few lengths, and a new view for each would be garbage.
    return (this.#views[this.length] ??= this.#buffer.subarray(0, this.length));
  }
}

/** Reads what a `BitWriter` wrote. Beyond the end it reads zeros and sets `hasFailed`, so that parsers check once. */
export class BitReader {
  #bytes: Uint8Array = new Uint8Array(0);
  #at = 0;
  /** The first bit after what is read. */
  #end = 0;
  #hasFailed = false;

  /** Whether the bytes ended too early, or held an impossible code. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /** Bits that are left. */
  get left(): number {
    return this.#end - this.#at;
  }

  /** How many bits were read. */
  get position(): number {
    return this.#at;
  }
  /** Goes to a bit that was read before. */
  set position(at: number) {
    this.#at = at;
  }

  /** Begins to read the bytes from `from` to `to - 1`. */
  start(bytes: Uint8Array, from = 0, to = bytes.length): void {
    this.#bytes = bytes;
    this.#at = from * 8;
    this.#end = to * 8;
    this.#hasFailed = false;
  }

  /** Reads a number of `count` bits, at most 32. */
  read(count: number): number {
    if (this.#at + count > this.#end) {
      this.#hasFailed = true;
      this.#at = this.#end;
      return 0;
    }
    let value = 0;
    let at = this.#at;
    for (let left = count; left > 0;) {
      const room = 8 - (at & 7);
      const taken = left < room ? left : room;
      const piece = (this.#bytes[at >>> 3]! >>> (room - taken)) & ((1 << taken) - 1);
      value = (value << taken) | piece;
      at += taken;
      left -= taken;
    }
    this.#at = at;
    return value >>> 0;
  }

  readGolomb(order: number): number {
    const bytes = this.#bytes;
    let at = this.#at;
    let zeros = 0;
    while (at < this.#end && (bytes[at >>> 3]! & (0x80 >>> (at & 7))) === 0) {
      at++;
      zeros++;
    }
    this.#at = at;
    // No number that we write is larger.
    if (zeros > 24) this.#hasFailed = true;
    const high = this.read(zeros > 24 ? 0 : zeros + 1);
    const low = this.read(order);
    return this.#hasFailed ? 0 : (high - 1) * (1 << order) + low;
  }

  readSigned(order: number): number {
    const code = this.readGolomb(order);
    const half = code >>> 1;
    return (code & 1) === 0 ? half : -half - 1;
  }

  /** Whether everything was read: what is left are fewer than 8 bits, all zero. */
  get isAtEnd(): boolean {
    const { left } = this;
    return !this.#hasFailed && left < 8 && this.read(left) === 0;
  }
}

/** Returns how many bits a number from 0 to `max` needs. */
export const bitsFor = (max: number): number => 32 - Math.clz32(max);

/** Returns the number nearest to `expected` whose lowest `bits` bits are `low`. */
export function nearest(low: number, bits: number, expected: number): number {
  const span = 1 << bits;
  const candidate = expected - (expected & (span - 1)) + low;
  if (candidate - expected > span / 2) return candidate - span;
  return expected - candidate > span / 2 ? candidate + span : candidate;
}
