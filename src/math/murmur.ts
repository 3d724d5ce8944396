/** MurmurHash3_x86_32, by Austin Appleby, of a string's UTF-16 code units in little-endian order. */
export function murmur(text: string, seed: number): number {
  let hash = seed;
  const { length } = text;
  for (let i = 0; i + 1 < length; i += 2) {
    hash ^= scramble(text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16));
    hash = Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64;
  }
  if (length % 2 === 1) hash ^= scramble(text.charCodeAt(length - 1));
  hash ^= 2 * length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}
