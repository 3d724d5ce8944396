import type { BlendFactor } from "./batch.js";
import type { ColumnTrack } from "./column-track.js";
import { blendContact, ContactList, leaveContact } from "./contact-list.js";
import { Curve } from "./curve.js";

/** The contacts of rows in the last step. */
export class ColumnContacts extends ContactList<ColumnTrack> {
  readonly #ahead: number;

  constructor(ahead: number) {
    super();
    this.#ahead = ahead;
  }

  /** Notes where a row was at a fraction of the step. */
  note(track: ColumnTrack, row: number, fraction: number, numbers: readonly (number | undefined)[]): void {
    const { width } = track.kind;
    for (const [j, value] of numbers.entries())
      if (value !== undefined && j < width)
        this.add(track, 0, row * width + j, fraction, value, track.previous[row * width + j]!);
  }

  /** Called when the step ends and the current states were read. */
  leave(): void {
    for (let n = 0; n < this.count; n++) {
      const contact = this.get(n);
      const { owner: track, part: i } = contact;
      leaveContact(contact, track.motion, track.kind.isAngle, track, i, i, track.stride, this.#ahead);
    }
  }

  /** Draws the numbers of a column through their contacts, unless earlier states were discarded. */
  draw(track: ColumnTrack, rows: number, factor: BlendFactor): void {
    const { previous, kind, motion } = track;
    if (this.#ahead > 0 || kind.held) return;
    const curve = motion instanceof Curve ? motion : undefined;
    for (let n = 0; n < this.count; n++) {
      const contact = this.get(n);
      const { owner, part: i } = contact;
      if (owner !== track || i >= rows * kind.width || previous[i] !== contact.previous) continue;
      blendContact(track.shown as Float64Array, contact, curve, kind.isAngle, track, i, i, factor);
    }
  }
}
