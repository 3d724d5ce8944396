import type { WireFields, WireSection } from "./wire-fields.js";

/**
 * A state as a snapshot sends it: the words of all rows, rounded as the fields' marks say. A server makes one per tick, and keeps
 * those that clients may have as their baseline. What a client may not see is removed from a copy.
 */
export class WireImage {
  /** The tick of the state. */
  tick = 0;
  readonly words: Int32Array;

  /** @internal Use `SnapshotCodec.image`. */
  constructor(fields: WireFields, words?: Int32Array) {
    this.words = words ?? new Int32Array(fields.words);
  }

  copy(from: WireImage): void {
    this.tick = from.tick;
    this.words.set(from.words);
  }

  /** Whether a row of a section is live. Rows of groups and lists always are. */
  isLive({ table, offset, stride }: WireSection, row: number): boolean {
    return table === undefined || this.words[offset + row * stride]! > 0;
  }

  /** Takes a row from another image, for example a stale one from the baseline. */
  copyRow({ offset, stride }: WireSection, row: number, from: WireImage): void {
    const start = offset + row * stride;
    for (let k = start; k < start + stride; k++) this.words[k] = from.words[k]!;
  }

  /** Whether a row is the same in another image. */
  isSameRow({ offset, stride }: WireSection, row: number, other: WireImage): boolean {
    const start = offset + row * stride;
    for (let k = start; k < start + stride; k++) if (this.words[k] !== other.words[k]) return false;
    return true;
  }

  /** Removes a row of a table, as if it had been removed from the state. */
  removeRow({ offset, stride, columns }: WireSection, row: number, hasBookkeeping: boolean): void {
    const start = offset + row * stride;
    const id = this.words[start]!;
    this.words[start] = hasBookkeeping && id > 0 ? -id : 0;
    for (let i = 0; i < columns.length; i++) {
      const { first, count, width, isBookkeeping } = columns[i]!;
      if (isBookkeeping && hasBookkeeping) continue;
      this.words.fill(0, start + first, start + first + count * width);
    }
  }
}
