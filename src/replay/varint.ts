/** Most bytes of an encoded number. */
export const MAX_VARINT = 8;

/** Writes a whole number from 0 to 2^53 - 1, seven bits per byte, the lowest first. Returns the offset after it. */
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

/** Encodes numbers, one after the other. */
export function varints(...values: number[]): Uint8Array {
  const bytes = new Uint8Array(values.length * MAX_VARINT);
  const end = values.reduce((at, value) => writeVarint(bytes, at, value), 0);
  return bytes.subarray(0, end);
}

/** Reads bytes and numbers from `at` up to `end`, and never beyond. */
export class ByteReader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
    public end: number,
  ) {}

  get left(): number {
    return this.end - this.at;
  }

  /** Reads a byte; -1 at the end. */
  byte(): number {
    return this.at < this.end ? this.bytes[this.at++]! : -1;
  }

  /** Reads a number; -1 if it is truncated, or greater than 2^53 - 1. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let i = 0; i < MAX_VARINT; i++) {
      if (this.at >= this.end) return -1;
      const byte = this.bytes[this.at++]!;
      value += (byte & 127) * factor;
      if (byte < 128) return value <= Number.MAX_SAFE_INTEGER ? value : -1;
      factor *= 128;
    }
    return -1;
  }
}
