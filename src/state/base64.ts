const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes Base64, as not every runtime has atob. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const length = text.indexOf("=") < 0 ? text.length : text.indexOf("=");
  const bytes = new Uint8Array((length * 3) >> 2);
  let bits = 0;
  for (let i = 0, at = 0; i < length; i++) {
    bits = (bits << 6) | DIGITS.indexOf(text[i]!);
    if (i % 4 !== 0) bytes[at++] = bits >> (6 - 2 * (i % 4));
  }
  return bytes;
}
