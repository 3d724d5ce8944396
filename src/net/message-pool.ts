/** Keeps at most this many bytes of unused messages. */
const MAX_KEPT = 256 * 1024;

/** Copies messages into memory that is used again. Messages of lengths seen before allocate nothing in the steady state. */
export class MessagePool {
  /** Unused messages, by their length, and how many there are. Arrays that shrink and grow would allocate. */
  readonly #free: (Uint8Array | undefined)[][] = [];
  readonly #counts: number[] = [];
  #kept = 0;

  /** Returns a copy of a message. */
  copy(bytes: Uint8Array): Uint8Array {
    const { length } = bytes;
    while (this.#free.length <= length) this.#counts[this.#free.push([]) - 1] = 0;
    if (this.#counts[length] === 0) return new Uint8Array(bytes);
    const message = this.#free[length]![--this.#counts[length]!]!;
    this.#free[length]![this.#counts[length]!] = undefined;
    this.#kept -= length;
    // Most messages are short: a call of `set` takes longer than a loop.
    if (length > 64) message.set(bytes);
    else for (let i = 0; i < length; i++) message[i] = bytes[i]!;
    return message;
  }

  /** Takes back a message that `copy` returned. */
  give(message: Uint8Array): void {
    const { length } = message;
    if (this.#kept + length > MAX_KEPT) return;
    this.#kept += length;
    this.#free[length]![this.#counts[length]!++] = message;
  }
}
