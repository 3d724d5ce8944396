const SHIFT = 15;
const FACTOR = 0x2c1b3c6d;

/**
 * Computes a 64-bit digest. Each of four lanes mixes in every fourth word by a bijection, so a change of a single word always
 * changes the digest; the sum keeps earlier values of the lanes. The bytes must be aligned to four bytes.
 */
export function digest(bytes: Uint8Array): [number, number] {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2);
  const end = words.length & ~3;
  let a = 0x243f6a88;
  let b = 0x05a308d3;
  let c = 0x13198a2e;
  let d = 0x03707344;
  let sum = bytes.length;
  for (let i = 0; i < end; i += 4) {
    a ^= words[i]!;
    a = Math.imul(a ^ (a >>> SHIFT), FACTOR);
    b ^= words[i + 1]!;
    b = Math.imul(b ^ (b >>> SHIFT), FACTOR);
    c ^= words[i + 2]!;
    c = Math.imul(c ^ (c >>> SHIFT), FACTOR);
    d ^= words[i + 3]!;
    d = Math.imul(d ^ (d >>> SHIFT), FACTOR);
    sum = (sum + (a ^ (b << 7)) + (c ^ (d << 7))) | 0;
  }
  for (let i = 4 * end; i < bytes.length; i++) {
    a ^= bytes[i]!;
    a = Math.imul(a ^ (a >>> SHIFT), FACTOR);
  }
  // The first word mixes the lanes, the second their sum too. Every operation from here on is a bijection.
  const first = scramble(scramble(scramble(scramble(a) ^ b) ^ c) ^ d);
  const second = scramble(scramble(scramble(scramble(scramble(d) ^ c) ^ b) ^ a) ^ sum);
  return [first >>> 0, second >>> 0];
}

/** A bijection in which each bit of the result depends on every bit (lowbias32, by Chris Wellons). */
function scramble(word: number): number {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}
