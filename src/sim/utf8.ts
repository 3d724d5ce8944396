let decoder: TextDecoder | undefined;

/** Decodes UTF-8; undefined if it is not valid. */
export function decodeText(encoded: Uint8Array): string | undefined {
  try {
    // Otherwise a byte order mark would be dropped, and the text would have two encodings.
    decoder ??= new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(encoded);
  } catch {
    return undefined;
  }
}
