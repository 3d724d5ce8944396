/** Compresses as raw deflate; undefined if the platform cannot. */
export async function deflate(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (typeof CompressionStream === "undefined") return undefined;
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("deflate"));
  const zlib = new Uint8Array(await new Response(stream).arrayBuffer());
  // Not "deflate-raw", which fewer platforms support: remove zlib's header and checksum instead.
  return zlib.slice(2, -4);
}
