// Messages that are longer than a datagram, over unreliable links. A fragment has 4 bytes before its data: the message's number
// (2 bytes, little-endian), the fragment's number, and the number of the last fragment. All but the last are equally long.

/** Bytes of a fragment's header. */
export const FRAGMENT_HEADER = 4;
const MAX_FRAGMENTS = 256;

/** Cuts messages into fragments. */
export class FragmentWriter {
  readonly #size: number;
  readonly #buffer: Uint8Array;
  readonly #send: (fragment: Uint8Array) => void;
  #message = 0;

  /** `size` is the number of bytes of a fragment with its header. Fragments are valid during the call of `send`. */
  constructor(size: number, send: (fragment: Uint8Array) => void) {
    this.#size = size;
    this.#buffer = new Uint8Array(size);
    this.#send = send;
  }

  /** The longest message. */
  get maxLength(): number {
    return MAX_FRAGMENTS * (this.#size - FRAGMENT_HEADER);
  }

  /** Sends the first `length` bytes as fragments. Returns false, and sends nothing, if they are too many. */
  write(bytes: Uint8Array, length = bytes.length): boolean {
    if (length > this.maxLength) return false;
    const room = this.#size - FRAGMENT_HEADER;
    const last = Math.max(0, Math.ceil(length / room) - 1);
    const buffer = this.#buffer;
    const message = this.#message;
    this.#message = (message + 1) & 0xffff;
    for (let i = 0; i <= last; i++) {
      const from = i * room;
      const end = Math.min(length, from + room);
      buffer[0] = message;
      buffer[1] = message >> 8;
      buffer[2] = i;
      buffer[3] = last;
      for (let k = from; k < end; k++) buffer[FRAGMENT_HEADER + k - from] = bytes[k]!;
      const isWhole = end - from === room;
      this.#send(isWhole ? buffer : buffer.subarray(0, FRAGMENT_HEADER + end - from));
    }
    return true;
  }
}

/**
 * Joins fragments. It keeps the fragments of one message: a snapshot is worth nothing once a later one arrives. Memory is fixed,
 * whatever arrives. Fragments that contradict each other are dropped.
 */
export class FragmentReader {
  readonly #room: number;
  readonly #bytes: Uint8Array;
  readonly #has = new Uint8Array(MAX_FRAGMENTS);
  #message = -1;
  #isDone = false;
  #last = 0;
  #count = 0;
  #length = 0;

  /** `size` is that of the writer. Messages longer than `maxLength` are dropped. */
  constructor(size: number, maxLength: number) {
    this.#room = size - FRAGMENT_HEADER;
    this.#bytes = new Uint8Array(maxLength);
  }

  /** Takes in a fragment. Returns the message if it is complete; its bytes are valid until the next call. */
  read(fragment: Uint8Array): Uint8Array | undefined {
    const length = fragment.length - FRAGMENT_HEADER;
    if (length < 0 || length > this.#room) return undefined;
    const message = fragment[0]! | (fragment[1]! << 8);
    const index = fragment[2]!;
    const last = fragment[3]!;
    const from = index * this.#room;
    // Only the last one is shorter, and only a message of one fragment is empty.
    const isFull = index < last ? length === this.#room : length > 0 || last === 0;
    if (index > last || !isFull || from + length > this.#bytes.length) return undefined;
    if (message !== this.#message && !this.#begin(message, last)) return undefined;
    if (this.#isDone || last !== this.#last || this.#has[index] !== 0) return undefined;
    this.#has[index] = 1;
    this.#count++;
    for (let k = 0; k < length; k++) this.#bytes[from + k] = fragment[FRAGMENT_HEADER + k]!;
    if (index === last) this.#length = from + length;
    if (this.#count <= last) return undefined;
    this.#isDone = true;
    return this.#bytes.subarray(0, this.#length);
  }

  /** Starts another message, unless it is older than the one at hand. */
  #begin(message: number, last: number): boolean {
    const ahead = (message - this.#message) & 0xffff;
    if (this.#message >= 0 && ahead >= 0x8000) return false;
    if (last * this.#room >= this.#bytes.length) return false;
    this.#message = message;
    this.#isDone = false;
    this.#last = last;
    this.#count = 0;
    this.#has.fill(0);
    return true;
  }
}
