import { lerpAngle, shortArc } from "./angle.js";
import type { BlendFactor } from "./batch.js";
import { bounded, hermite, within } from "./hermite.js";
import { lerp } from "./lerp.js";
import type { TrackedField, Tracker } from "./trackers.js";

/** The moment of contact of one number, in the last step. */
interface Contact {
  /** Whose number it is, in which field, and which part of it. */
  tracker: Tracker | undefined;
  field: TrackedField;
  part: number;
  /** When, as a fraction of the step, and at which value. */
  fraction: number;
  value: number;
  /** The previous state. If it differs later, it was discarded. */
  previous: number;
}

/** What is left of a step after a contact that happened at its end, but for rounding errors. Says nothing about a velocity. */
const NO_TIME = 1e-6;

/** The contacts of the last step, in order. Their objects are reused from step to step. */
export class Contacts {
  #count = 0;
  readonly #contacts: Contact[] = [];

  /** Adds a contact. The last one of a number counts. */
  add(tracker: Tracker, field: TrackedField, part: number, fraction: number, value: number): void {
    const i = this.#count++;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    const contact = (this.#contacts[i] ??= {
      tracker,
      field,
      part,
      fraction: 0.5,
      value: 0.5,
      previous: 0.5,
    });
    contact.tracker = tracker;
    contact.field = field;
    contact.part = part;
    contact.fraction = fraction;
    contact.value = value;
    contact.previous = tracker.statesOf(field).previous[tracker.numbers + field.from + part]!;
  }

  /** Removes all contacts, and their references to objects. */
  clear(): void {
    for (let i = 0; i < this.#count; i++) this.#contacts[i]!.tracker = undefined;
    this.#count = 0;
  }

  /** Moves the contact of a number, if it has one. `previous` is its previous state after the shift. */
  shift(tracker: Tracker, field: TrackedField, part: number, by: number, previous: number): void {
    for (let i = 0; i < this.#count; i++) {
      const contact = this.#contacts[i]!;
      if (contact.tracker !== tracker || contact.field !== field || contact.part !== part) continue;
      contact.value += by;
      contact.previous = previous;
    }
  }

  /** Called when the step ends and the current states were read: numbers go on with their velocity after the contact. */
  leave(): void {
    for (let n = 0; n < this.#count; n++) {
      const contact = this.#contacts[n]!;
      const { field, part } = contact;
      const tracker = contact.tracker!;
      const { kind, motion, from, extra, stride } = field;
      const states = tracker.statesOf(field);
      const i = tracker.numbers + from + part;
      if (!motion || 1 - contact.fraction < NO_TIME || states.previous[i] !== contact.previous) continue;
      const velocity = velocityAfter(contact, kind.isAngle, states.current[i]!);
      motion.turn(states, i, tracker.numbers + extra + part, stride, velocity);
    }
  }

  /** Draws numbers through their contacts, unless they were written, or earlier states were discarded. */
  draw(factor: BlendFactor): void {
    for (let n = 0; n < this.#count; n++) {
      const contact = this.#contacts[n]!;
      const { field, part, previous } = contact;
      const tracker = contact.tracker!;
      const i = tracker.numbers + field.from + part;
      if (tracker.owner.ahead > 0 || tracker.statesOf(field).previous[i] !== previous) continue;
      if (!tracker.isWritten(field, part)) tracker.show(field, part, blendContact(contact, tracker, factor));
    }
  }
}

/**
 * Returns the velocity after a contact, per step. It follows from the way since then, which can be short: a millimetre that a
 * solver leaves between two bodies would count as a jump. So it is at most as fast as before the contact, unless the number
 * really moved further since then.
 */
function velocityAfter({ fraction, value, previous }: Contact, isAngle: boolean, current: number): number {
  const way = isAngle ? shortArc(value, current) : current - value;
  const wayBefore = isAngle ? shortArc(previous, value) : value - previous;
  const velocity = way / (1 - fraction);
  const limit = Math.max(Math.abs(way), Math.abs(wayBefore / fraction));
  // The limit is NaN for a contact at the beginning of the step.
  return Math.abs(velocity) > limit ? Math.sign(velocity) * limit : velocity;
}

/** Blends a number in two segments, from the previous state to the contact, and from there to the current state. */
function blendContact(
  { field, part, fraction, value, previous }: Contact,
  tracker: Tracker,
  { alpha: t }: BlendFactor,
): number {
  const states = tracker.statesOf(field);
  const current = states.current[tracker.numbers + field.from + part]!;
  const isBefore = t < fraction || fraction >= 1;
  const a = isBefore ? previous : value;
  const b = isBefore ? value : current;
  const length = isBefore ? fraction : 1 - fraction;
  const u = isBefore ? t / fraction : (t - fraction) / length;
  if (t >= 1) return current;
  if (field.kind.isAngle) return lerpAngle(a, b, u);
  const velocity = field.motion?.velocityAt?.(states, tracker.numbers + field.extra + part, isBefore);
  if (velocity === undefined) return lerp(a, b, u);
  // The velocity at the contact is that of a parabola through both ends: exact for constant acceleration.
  const known = velocity * length;
  const outer = known === known ? known : b - a;
  const inner = 2 * (b - a) - outer;
  const start = bounded(isBefore ? outer : inner, b - a);
  const end = bounded(isBefore ? inner : outer, b - a);
  return a === b ? b : within(a, b, hermite(a, b, start, end, 1, u));
}
