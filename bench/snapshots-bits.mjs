/** Writes bits into bytes, the lowest bit of a byte first. */
export class BitWriter {
  #bytes = new Uint8Array(1 << 16);
  #at = 0;
  #scratch = 0;
  #filled = 0;

  start() {
    this.#at = 0;
    this.#scratch = 0;
    this.#filled = 0;
  }

  /** Writes the lowest `count` bits of a value, at most 24. */
  write(value, count) {
    this.#scratch |= value << this.#filled;
    this.#filled += count;
    while (this.#filled >= 8) {
      this.#bytes[this.#at++] = this.#scratch;
      this.#scratch >>>= 8;
      this.#filled -= 8;
    }
  }

  /** Ends a packet. Its bytes are overwritten by the next one. */
  finish() {
    if (this.#filled > 0) this.#bytes[this.#at++] = this.#scratch;
    return this.#bytes.subarray(0, this.#at);
  }
}

/** Reads what `BitWriter` wrote. */
export class BitReader {
  #bytes = new Uint8Array(0);
  #at = 0;
  #scratch = 0;
  #filled = 0;

  start(bytes) {
    this.#bytes = bytes;
    this.#at = 0;
    this.#scratch = 0;
    this.#filled = 0;
  }

  /** Reads `count` bits, at most 24. */
  read(count) {
    while (this.#filled < count) {
      this.#scratch |= this.#bytes[this.#at++] << this.#filled;
      this.#filled += 8;
    }
    const value = this.#scratch & ((1 << count) - 1);
    this.#scratch >>>= count;
    this.#filled -= count;
    return value;
  }
}
