// A state in a packet: after the server's head come the ticks of its baselines, which seats are absent, and whether there are effects;
// then whole bytes: the effects, and those of the codec.
import type { BitReader, BitWriter } from "../bits.js";

/** Nothing is told about effects; there are none since the baseline; or a list follows. */
export const UNTOLD = 0;
export const NO_EFFECTS = 1;
export const EFFECT_LIST = 2;

/** What precedes the bytes of a state. Reuse it. */
export class StateHead {
  /** The tick of the baseline; 0 if there is none. */
  baseline = 0;
  /** The tick of the second baseline; 0 if there is none. */
  older = 0;
  /** UNTOLD, NO_EFFECTS or EFFECT_LIST. */
  effects = UNTOLD;

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
    writer.write(this.effects === UNTOLD ? 0 : 1, 1);
    if (this.effects !== UNTOLD) writer.write(this.effects - NO_EFFECTS, 1);
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
    this.effects = reader.read(1) === 0 ? UNTOLD : NO_EFFECTS + reader.read(1);
    return !reader.hasFailed && this.baseline >= 0 && this.older >= 0;
  }
}
