import { nearest, type BitReader, type BitWriter } from "../bits.js";

/** Bits of a tick. The receiver knows roughly which one it is. */
export const TICK_BITS = 12;
/** A packet holds at most this many rows. */
export const MAX_ROWS = 512;

/** The head of a packet of a client's inputs. Rows follow. Reuse it. */
export class InputHead {
  /** The inputs of the ticks from `first` to `end - 1` follow. */
  first = 0;
  end = 0;
  /** The tick before which the client knows the inputs of all seats; or the newest state that it has. */
  ack = 0;
  /** Whether the first row is complete: the server may lack the one before. */
  isComplete = false;

  write(writer: BitWriter): void {
    writer.write(0, 1);
    writer.write(this.end, TICK_BITS);
    writer.writeSigned(this.end - this.ack, 5);
    writer.write(this.isComplete ? 1 : 0, 1);
    writer.writeGolomb(this.end - this.first, 3);
  }

  /** Reads a head. Returns false unless it is well formed. `expected` is about the end. */
  read(reader: BitReader, expected: number): boolean {
    if (reader.read(1) !== 0) return false;
    this.end = nearest(reader.read(TICK_BITS), TICK_BITS, expected);
    this.ack = this.end - reader.readSigned(5);
    this.isComplete = reader.read(1) === 1;
    const count = reader.readGolomb(3);
    this.first = this.end - count;
    return !reader.hasFailed && count <= MAX_ROWS && this.first >= 0 && this.ack >= 0;
  }
}
