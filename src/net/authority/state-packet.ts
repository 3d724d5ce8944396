// A state in a packet: after the server's head come the ticks of its baselines, and which seats are absent; then whole bytes of the codec.
import type { BitReader, BitWriter } from "../bits.js";

/** What precedes the bytes of a state. Reuse it. */
export class StateHead {
  /** The tick of the baseline; 0 if there is none. */
  baseline = 0;
  /** The tick of the second baseline; 0 if there is none. */
  older = 0;

  write(writer: BitWriter, tick: number, absent: Uint8Array): void {
    const { baseline, older } = this;
    writer.write(baseline > 0 ? 1 : 0, 1);
    if (baseline > 0) {
      writer.writeGolomb(tick - baseline, 2);
      writer.write(older > 0 ? 1 : 0, 1);
      if (older > 0) writer.writeGolomb(baseline - older, 2);
    }
    // Mostly nobody is.
    let isAnyAbsent = 0;
    for (let seat = 0; seat < absent.length; seat++) isAnyAbsent |= absent[seat]!;
    writer.write(isAnyAbsent, 1);
    if (isAnyAbsent === 1) for (let seat = 0; seat < absent.length; seat++) writer.write(absent[seat]!, 1);
  }

  /** Reads it. Returns false unless it is well formed. */
  read(reader: BitReader, tick: number, absent: Uint8Array): boolean {
    this.baseline = this.older = 0;
    if (reader.read(1) === 1) {
      this.baseline = tick - reader.readGolomb(2);
      if (reader.read(1) === 1) this.older = this.baseline - reader.readGolomb(2);
    }
    const isAnyAbsent = reader.read(1);
    for (let seat = 0; seat < absent.length; seat++) absent[seat] = isAnyAbsent === 1 ? reader.read(1) : 0;
    return !reader.hasFailed && this.baseline >= 0 && this.older >= 0;
  }
}
