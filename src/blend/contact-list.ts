import { lerpAngle, shortArc } from "./angle.js";
import type { BlendFactor, Numbers } from "./batch.js";
import { bounded, Curve, within } from "./curve.js";
import { hermite } from "./hermite.js";
import { lerp } from "./lerp.js";
import type { Motion, MotionStates } from "./motion.js";

/** The moment of contact of one number, in the last step. */
export interface Contact<T> {
  /** Whose number it is, in which field, and which part of it. */
  owner: T;
  field: number;
  part: number;
  /** When, as a fraction of the step, and at which value. */
  fraction: number;
  value: number;
  /** The previous state. If it differs later, it was discarded. */
  previous: number;
}

/** The contacts of the last step, in order. Their objects are reused from step to step. */
export class ContactList<T> {
  count = 0;
  readonly #contacts: Contact<T>[] = [];

  get(i: number): Contact<T> {
    return this.#contacts[i]!;
  }

  /** Adds a contact. The last one of a number counts. */
  add(owner: T, field: number, part: number, fraction: number, value: number, previous: number): void {
    const i = this.count++;
    // Fractions first: engines then store these fields as doubles and never allocate for them.
    const contact = (this.#contacts[i] ??= { owner, field, part, fraction: 0.5, value: 0.5, previous: 0.5 });
    contact.owner = owner;
    contact.field = field;
    contact.part = part;
    contact.fraction = fraction;
    contact.value = value;
    contact.previous = previous;
  }

  /** Removes all contacts, and their references to objects. */
  clear(): void {
    for (let i = 0; i < this.count; i++) this.get(i).owner = undefined as T;
    this.count = 0;
  }

  /** Moves the contact of a number, if it has one. `previous` is its previous state after the shift. */
  shift(owner: T, field: number, part: number, by: number, previous: number): void {
    for (let i = 0; i < this.count; i++) {
      const contact = this.get(i);
      if (contact.owner !== owner || contact.field !== field || contact.part !== part) continue;
      contact.value += by;
      contact.previous = previous;
    }
  }
}

/** What is left of a step after a contact that happened at its end, but for rounding errors. Says nothing about a velocity. */
const NO_TIME = 1e-6;

/** Corrects what is remembered about a number that had a contact: it goes on with its velocity after the contact. */
export function leaveContact(
  contact: Contact<unknown>,
  motion: Motion | undefined,
  isAngle: boolean,
  { current, after }: MotionStates,
  i: number,
  extra: number,
  stride: number,
  ahead: number,
): void {
  if (!motion || 1 - contact.fraction < NO_TIME) return;
  const velocity = velocityAfter(contact, isAngle, current[i]!);
  if (!(motion instanceof Curve)) after[extra] = current[i]! + ahead * velocity;
  else if (!motion.isGiven) {
    after[extra] = velocity;
    after[extra + stride] = 0;
    after[extra + 2 * stride] = NaN;
  }
}

/**
 * Returns the velocity after a contact, per step. It follows from the way since then, which can be short: a millimetre that a
 * solver leaves between two bodies would count as a jump. So it is at most as fast as before the contact, unless the number
 * really moved further since then.
 */
function velocityAfter(
  { fraction, value, previous }: Contact<unknown>,
  isAngle: boolean,
  current: number,
): number {
  const way = isAngle ? shortArc(value, current) : current - value;
  const wayBefore = isAngle ? shortArc(previous, value) : value - previous;
  const velocity = way / (1 - fraction);
  const limit = Math.max(Math.abs(way), Math.abs(wayBefore / fraction));
  // The limit is NaN for a contact at the beginning of the step.
  return Math.abs(velocity) > limit ? Math.sign(velocity) * limit : velocity;
}

/** Blends a number in two segments, from the previous state to the contact, and from there to the current state. */
export function blendContact(
  out: Numbers,
  { fraction, value }: Contact<unknown>,
  curve: Curve | undefined,
  isAngle: boolean,
  { previous, current, before, after }: MotionStates,
  i: number,
  extra: number,
  { t }: BlendFactor,
): void {
  const isBefore = t < fraction || fraction >= 1;
  const a = isBefore ? previous[i]! : value;
  const b = isBefore ? value : current[i]!;
  const length = isBefore ? fraction : 1 - fraction;
  const u = isBefore ? t / fraction : (t - fraction) / length;
  if (t >= 1) out[i] = current[i]!;
  else if (isAngle) out[i] = lerpAngle(a, b, u);
  else if (!curve || (!isBefore && !curve.isGiven)) out[i] = lerp(a, b, u);
  else {
    // The velocity at the contact is that of a parabola through both ends: exact for constant acceleration.
    const known = (isBefore ? before[extra]! : after[extra]!) * length;
    const outer = known === known ? known : b - a;
    const inner = 2 * (b - a) - outer;
    const start = bounded(isBefore ? outer : inner, b - a);
    const end = bounded(isBefore ? inner : outer, b - a);
    out[i] = a === b ? b : within(a, b, hermite(a, b, start, end, 1, u));
  }
}
