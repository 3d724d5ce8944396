/** Returns a short, deep thud as the address of a WAV file: 16 bits, mono. */
export function thudUrl(): string {
  const rate = 22050;
  const samples = Int16Array.from({ length: rate / 4 }, (_, i) => {
    const seconds = i / rate;
    return (
      30000 *
      Math.exp(-16 * seconds) *
      Math.sin(2 * Math.PI * (70 * seconds + 4 * (1 - Math.exp(-30 * seconds))))
    );
  });
  const bytes = new Uint8Array(44 + samples.byteLength);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => bytes.set(new TextEncoder().encode(word), at);
  text(0, "RIFF");
  view.setUint32(4, 36 + samples.byteLength, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); // length of the format
  view.setUint16(20, 1, true); // uncompressed
  view.setUint16(22, 1, true); // channels
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true); // bytes per sample
  view.setUint16(34, 16, true); // bits per sample
  text(36, "data");
  view.setUint32(40, samples.byteLength, true);
  bytes.set(new Uint8Array(samples.buffer), 44);
  return `data:audio/wav;base64,${btoa(String.fromCharCode(...bytes))}`;
}
