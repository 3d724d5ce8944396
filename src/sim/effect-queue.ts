import type { AnyEffect } from "./effects.js";

interface Entry {
  readonly effect: AnyEffect;
  /** Listeners have been called with it. */
  isDelivered: boolean;
  /** Its tick is being resimulated, and has not emitted it again yet. */
  isInDoubt: boolean;
}

/** A session whose picture is never drawn would otherwise grow without bound. */
const MAX_ENTRIES = 10_000;

/**
 * Holds effects from the step that emits them to the frame that shows its state. When predicted ticks are resimulated, an effect
 * that is emitted again is not delivered twice, and one that is not emitted again is withdrawn.
 */
export class EffectQueue {
  #entries: Entry[] = [];
  /** No entry has a later tick, so most steps of a session without a picture need not look through a full queue. */
  #newest = -1;
  #isResimulating = false;
  /** Effects that were discarded before delivery, as the queue was full. */
  lost = 0;

  /** Takes an effect that a step emitted. */
  add(effect: AnyEffect): void {
    const again =
      this.#isResimulating && this.#entries.find((entry) => entry.isInDoubt && isSame(entry.effect, effect));
    if (again) {
      again.isInDoubt = false;
      return;
    }
    this.#newest = Math.max(this.#newest, effect.tick);
    if (this.#entries.length >= MAX_ENTRIES) {
      const dropped = this.#entries.shift()!;
      if (!dropped.isDelivered) this.lost++;
    }
    this.#entries.push({ effect, isDelivered: false, isInDoubt: false });
  }

  /** Delivers the effects of all ticks before state `shown`: those of tick n are due when state n + 1 is shown. */
  deliver(shown: number, call: (effect: AnyEffect) => void): void {
    if (this.#entries.length === 0) return;
    // Collect first, as a listener may seek, load or step.
    const due = this.#entries.filter(
      ({ effect, isDelivered, isInDoubt }) => !isDelivered && !isInDoubt && effect.tick + 1 <= shown,
    );
    for (const entry of due.sort((a, b) => a.effect.tick - b.effect.tick)) {
      if (entry.isDelivered) continue;
      // One by one: if a listener throws, the next frame delivers the rest.
      entry.isDelivered = true;
      call(entry.effect);
    }
  }

  /** Forgets delivered effects of the ticks before `tick`, as these can no longer change. */
  confirm(tick: number): void {
    if (this.#entries.length > 0)
      this.#entries = this.#entries.filter(({ effect, isDelivered }) => !(isDelivered && effect.tick < tick));
  }

  /** Discards the effects from a tick on without delivering them, as the session takes another course from there. */
  discardFrom(tick: number): void {
    if (this.#newest < tick) return;
    this.#newest = tick - 1;
    this.#entries = this.#entries.filter(({ effect }) => effect.tick < tick);
  }

  /** Begins a resimulation of the ticks from `tick` on. */
  beginResimulation(tick: number): void {
    this.#isResimulating = true;
    for (const entry of this.#entries) if (entry.effect.tick >= tick) entry.isInDoubt = true;
  }

  /** Ends a resimulation. Drops the effects that were not emitted again, and calls `withdraw` with those that were delivered. */
  endResimulation(withdraw: (effect: AnyEffect) => void): void {
    this.#isResimulating = false;
    const gone = this.#entries.filter(({ isInDoubt }) => isInDoubt);
    if (gone.length === 0) return;
    this.#entries = this.#entries.filter(({ isInDoubt }) => !isInDoubt);
    for (const { effect, isDelivered } of gone) if (isDelivered) withdraw(effect);
  }
}

function isSame(a: AnyEffect, b: AnyEffect): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.is(a[name], b[name]));
}
