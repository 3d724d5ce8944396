import type { BlendFactor } from "./batch.js";
import { blendContact, ContactList, leaveContact } from "./contact-list.js";
import { Curve } from "./curve.js";
import type { States } from "./passes.js";
import type { Track } from "./track.js";
import type { Placement } from "./trackers.js";

/** The contacts of objects in the last step. */
export class ObjectContacts extends ContactList<Track> {
  /** Notes where an object was at a fraction of the step. */
  note(track: Track, { previous }: States, fraction: number, at: Placement): void {
    for (const [f, { name, from, paths }] of track.shape.fields.entries())
      for (const [j, value] of (at.get(name) ?? []).entries())
        if (value !== undefined && j < paths.length)
          this.add(track, f, j, fraction, value, previous[track.numbers + from + j]!);
  }

  /** Called when the step ends and the current states were read. */
  leave(states: States): void {
    for (let n = 0; n < this.count; n++) {
      const contact = this.get(n);
      const { shape, numbers, kept } = contact.owner;
      const { kind, motion, from, paths, extra } = shape.fields[contact.field]!;
      const i = numbers + from + contact.part;
      if (kept || states.previous[i] !== contact.previous) continue;
      leaveContact(
        contact,
        motion,
        kind.isAngle,
        states,
        i,
        numbers + extra + contact.part,
        paths.length,
        shape.ahead,
      );
    }
  }

  /** Draws numbers through their contacts, unless they were written, or earlier states were discarded. */
  draw(states: States, factor: BlendFactor): void {
    const { previous, current, shown } = states;
    for (let n = 0; n < this.count; n++) {
      const contact = this.get(n);
      const { shape, object, view, numbers, kept } = contact.owner;
      const { kind, motion, from, extra } = shape.fields[contact.field]!;
      const access = shape.passes.access[contact.field]![contact.part]!;
      const i = numbers + from + contact.part;
      if (kept || shape.ahead > 0 || previous[i] !== contact.previous) continue;
      if (!access.isUnwritten(object, current, i)) continue;
      const curve = motion instanceof Curve ? motion : undefined;
      blendContact(shown, contact, curve, kind.isAngle, states, i, numbers + extra + contact.part, factor);
      access.show(view, shown, i);
    }
  }
}
