const TABLE = new Uint32Array(256);
for (let i = 0; i < 256; i++) {
  let word = i;
  for (let bit = 0; bit < 8; bit++) word = word & 1 ? (word >>> 1) ^ 0xedb88320 : word >>> 1;
  TABLE[i] = word;
}

/** Computes the CRC-32 of zip and png. `before` is the checksum of the bytes that come before these. */
export function crc32(bytes: Uint8Array, from = 0, to = bytes.length, before = 0): number {
  let crc = ~before;
  for (let i = from; i < to; i++) crc = TABLE[(crc ^ bytes[i]!) & 255]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
