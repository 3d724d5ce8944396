// HalfSipHash-2-4 (Aumasson, Bernstein): a keyed hash of 32 bits with a key of 64 bits, made for 32-bit words.

/** Hashes `bytes` from `start` to `end` with the key at `key[at]` and `key[at + 1]`. */
export function halfSipHash(
  key: Uint32Array,
  at: number,
  bytes: Uint8Array,
  start: number,
  end: number,
): number {
  const k0 = key[at]! | 0;
  const k1 = key[at + 1]! | 0;
  let v0 = k0;
  let v1 = k1;
  let v2 = 0x6c796765 ^ k0;
  let v3 = 0x74656462 ^ k1;
  const length = end - start;
  const whole = end - (length & 3);
  // One word after the other; the last one holds the remaining bytes and the length.
  for (let i = start; i <= whole; i += 4) {
    const isLast = i === whole;
    let word = 0;
    if (isLast) {
      word = length << 24;
      for (let j = end - 1; j >= i; j--) word |= bytes[j]! << (8 * (j - i));
    } else word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24);
    v3 ^= word;
    // Two rounds per word; after the last one, four more.
    for (let round = isLast ? 6 : 2; round > 0; round--) {
      if (isLast && round === 4) {
        v0 ^= word;
        v2 ^= 0xff;
      }
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
    }
    if (!isLast) v0 ^= word;
  }
  return (v1 ^ v3) >>> 0;
}
