/** Raw deflate by the platform; undefined where it has none. */
export async function deflate(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  if (typeof CompressionStream === "undefined") return undefined;
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new CompressionStream("deflate"));
  const zlib = new Uint8Array(await new Response(stream).arrayBuffer());
  // Not "deflate-raw", which came later: so without zlib's two bytes before it and its checksum after it.
  return zlib.slice(2, -4);
}
