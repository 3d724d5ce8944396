/** Most bytes that a number takes. */
export const MOST_VARINT = 8;

/** Writes a whole number from 0 to 2^53 - 1, seven bits a byte, the lowest first; returns where it ends. */
export function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let to = at;
  let left = value;
  while (left >= 128) {
    bytes[to++] = (left % 128) + 128;
    left = Math.floor(left / 128);
  }
  bytes[to++] = left;
  return to;
}

/** The bytes of some numbers, one after the other. */
export function varints(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * MOST_VARINT);
  const end = values.reduce((at, value) => writeVarint(bytes, at, value), 0);
  return bytes.subarray(0, end);
}

/** Reads numbers from one place to another, and never beyond. */
export class ByteReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    public end: number,
  ) {}

  get left(): number {
    return this.end - this.at;
  }

  /** -1 where there is none. */
  byte(): number {
    return this.at < this.end ? this.bytes[this.at++]! : -1;
  }

  /** -1 where it is cut off, or more than 2^53 - 1. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < MOST_VARINT; i++) {
      if (this.at >= this.end) return -1;
      const byte = this.bytes[this.at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? value : -1;
      factor *= 128;
    }
    return -1;
  }
}
