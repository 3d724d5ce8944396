import type { AnyEffect } from "./effects.js";

/** When an effect is delivered: once its tick is shown; or once its tick is both shown and confirmed, so that it is never withdrawn. */
export type EffectMoment = "shown" | "confirmed";

interface Entry {
  effect: AnyEffect;
  /** Whether it waits until its tick is confirmed. */
  readonly needsConfirmation: boolean;
  /** Counts emissions, so that a resimulation that emits it among others restores their order. */
  order: number;
  /** Listeners have been called with it. */
  isDelivered: boolean;
  /** Its tick is being resimulated, and has not emitted it again yet. */
  isInDoubt: boolean;
}

/** A session whose picture is never drawn would otherwise grow without bound. */
const MAX_ENTRIES = 10_000;
/** Entries that an effect is compared with, so that thousands of effects in one tick do not take forever. */
const MAX_COMPARED = 64;

/**
 * Holds effects from the step that emits them to the frame that shows its state. When predicted ticks are resimulated, an effect
 * that is emitted again is not delivered twice, and one that is not emitted again is withdrawn.
 */
export class EffectQueue {
  #entries: Entry[] = [];
  /** No entry has a later tick, so most steps of a session without a picture need not look through a full queue. */
  #newest = -1;
  #isResimulating = false;
  /** Entries in doubt, by tick and name. */
  readonly #inDoubt = new Map<string, Entry[]>();
  /** A server decides what happened. Its machine may compute slightly different values. */
  #isFollowing = false;
  /** What happened in the ticks before this one is certain. Steps add nothing to them. */
  #settledBefore = 0;
  #emitted = 0;
  readonly #when: ((name: string) => EffectMoment) | undefined;
  readonly #dt: number;
  /** Effects that were discarded before delivery, as the queue was full. */
  lost = 0;

  /** A step simulates `dt` seconds. `when` is asked once for each effect. Without it, all are delivered when shown. */
  constructor(dt: number, when?: (name: string) => EffectMoment) {
    this.#dt = dt;
    this.#when = when;
  }

  /** Whether it holds no effects. */
  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** Takes an effect that a step emitted. */
  add(effect: AnyEffect): void {
    if (effect.tick < this.#settledBefore) return;
    const again = this.#isResimulating ? this.#doubted(effect) : undefined;
    if (!again) return this.#push(effect);
    again.order = this.#emitted++;
    this.#believe(again, effect);
  }

  /** Ends the doubt about an entry: this effect is what happened. */
  #believe(entry: Entry, effect: AnyEffect): void {
    entry.isInDoubt = false;
    if (!entry.isDelivered) entry.effect = effect;
  }

  #push(effect: AnyEffect): void {
    this.#newest = Math.max(this.#newest, effect.tick);
    if (this.#entries.length >= MAX_ENTRIES) {
      const dropped = this.#entries.shift()!;
      if (!dropped.isDelivered) this.lost++;
    }
    const needsConfirmation = this.#when !== undefined && this.#when(effect.name) === "confirmed";
    const order = this.#emitted++;
    this.#entries.push({ effect, needsConfirmation, order, isDelivered: false, isInDoubt: false });
  }

  /**
   * Delivers the effects of all ticks before state `shown`: those of tick n are due when state n + 1 is shown. Effects that need
   * it also wait until tick n is before `confirmed`. The picture is at `position`, in ticks: effects have their age by it.
   */
  deliver(shown: number, call: (effect: AnyEffect) => void, confirmed = Infinity, position = shown): void {
    if (!this.#hasDue(shown, confirmed)) return;
    // Collect first, as a listener may seek, load or step.
    const due = this.#entries.filter((entry) => isDue(entry, shown, confirmed));
    for (const entry of due.sort((a, b) => a.effect.tick - b.effect.tick || a.order - b.order)) {
      if (entry.isDelivered) continue;
      // One by one: if a listener throws, the next frame delivers the rest.
      entry.isDelivered = true;
      const { effect } = entry as { effect: { -readonly [K in keyof AnyEffect]: AnyEffect[K] } };
      effect.age = Math.max(0, position - effect.tick - 1) * this.#dt;
      call(effect);
    }
  }

  /** Whether `deliver` has anything to do. Most frames have nothing, and must not allocate. */
  #hasDue(shown: number, confirmed: number): boolean {
    for (let i = 0; i < this.#entries.length; i++)
      if (isDue(this.#entries[i]!, shown, confirmed)) return true;
    return false;
  }

  /** Forgets delivered effects of the ticks before `tick`, as these can no longer change. */
  confirm(tick: number): void {
    const entries = this.#entries;
    let kept = 0;
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i]!;
      if (!(entry.isDelivered && entry.effect.tick < tick)) entries[kept++] = entry;
    }
    if (kept < entries.length) entries.length = kept;
  }

  /** Discards the effects from a tick on without delivering them, as the session takes another course from there. */
  discardFrom(tick: number): void {
    this.#settledBefore = Math.min(this.#settledBefore, tick);
    if (this.#newest < tick) return;
    this.#newest = tick - 1;
    this.#entries = this.#entries.filter(({ effect }) => effect.tick < tick);
  }

  /**
   * The session continues from a state of somebody else: withdraws what was delivered of ticks that are not confirmed, as it will never
   * know whether that happened, or steps them again. Effects of confirmed ticks are not delivered twice.
   */
  restart(confirmed: number, withdraw: (effect: AnyEffect) => void): void {
    this.#doubt(confirmed, Infinity);
    this.#dropDoubted(withdraw);
    this.#settledBefore = confirmed;
  }

  /** Begins a resimulation of the ticks from `tick` on. */
  beginResimulation(tick: number): void {
    this.#isResimulating = true;
    this.#doubt(Math.max(tick, this.#settledBefore), Infinity);
  }

  #doubt(first: number, end: number): void {
    if (this.#newest < first) return;
    for (let i = 0; i < this.#entries.length; i++) {
      const entry = this.#entries[i]!;
      const { tick, name } = entry.effect;
      if (tick < first || tick >= end) continue;
      entry.isInDoubt = true;
      const key = `${tick} ${name}`;
      const bucket = this.#inDoubt.get(key);
      if (bucket) bucket.push(entry);
      else this.#inDoubt.set(key, [entry]);
    }
  }

  /** Finds the entry in doubt that is an effect: the same one; or, if a server decides, one that differs only in fractions. */
  #doubted(effect: AnyEffect): Entry | undefined {
    const bucket = this.#inDoubt.get(`${effect.tick} ${effect.name}`);
    if (!bucket) return undefined;
    // Mostly, effects are emitted again in the same order.
    while (bucket.length > 0 && !bucket[0]!.isInDoubt) bucket.shift();
    let similar: Entry | undefined;
    for (let i = 0; i < bucket.length && i < MAX_COMPARED; i++) {
      const entry = bucket[i]!;
      if (!entry.isInDoubt) continue;
      if (isSame(entry.effect, effect)) return entry;
      if (this.#isFollowing && isSimilar(entry.effect, effect)) similar ??= entry;
    }
    return similar;
  }

  /** Ends a resimulation. Drops the effects that were not emitted again, and calls `withdraw` with those that were delivered. */
  endResimulation(withdraw: (effect: AnyEffect) => void): void {
    this.#isResimulating = false;
    this.#dropDoubted(withdraw);
  }

  /**
   * Takes over which effects the ticks from `first` to before `end` had, as a server has decided it: those that were predicted are not
   * delivered twice, even if their values differ a little, and those that did not happen are withdrawn. Effects of earlier ticks
   * happened, too, but are not all. Later calls cannot change these ticks.
   */
  settle(
    first: number,
    end: number,
    effects: readonly AnyEffect[],
    withdraw: (effect: AnyEffect) => void,
  ): void {
    const settled = this.#settledBefore;
    this.#isFollowing = true;
    this.#doubt(settled, end);
    for (const effect of effects) {
      if (effect.tick < settled || effect.tick >= end) continue;
      const predicted = this.#doubted(effect);
      if (predicted) this.#believe(predicted, effect);
      else this.#push(effect);
    }
    // Nobody said that these did not happen.
    for (const entry of this.#entries) if (entry.effect.tick < first) entry.isInDoubt = false;
    this.#settledBefore = Math.max(settled, end);
    this.#dropDoubted(withdraw);
  }

  #dropDoubted(withdraw: (effect: AnyEffect) => void): void {
    if (this.#inDoubt.size === 0) return;
    this.#inDoubt.clear();
    let isAny = false;
    for (let i = 0; i < this.#entries.length; i++) isAny ||= this.#entries[i]!.isInDoubt;
    if (!isAny) return;
    const gone = this.#entries.filter(({ isInDoubt }) => isInDoubt);
    this.#entries = this.#entries.filter(({ isInDoubt }) => !isInDoubt);
    for (const { effect, isDelivered } of gone) if (isDelivered) withdraw(effect);
  }
}

const isDue = (
  { effect, needsConfirmation, isDelivered, isInDoubt }: Entry,
  shown: number,
  confirmed: number,
): boolean =>
  !isDelivered && !isInDoubt && effect.tick + 1 <= shown && !(needsConfirmation && effect.tick >= confirmed);

/** Names of what an effect is. Its age is that of a picture. */
const namesOf = (effect: AnyEffect) => Object.keys(effect).filter((name) => name !== "age");

function isSame(a: AnyEffect, b: AnyEffect): boolean {
  const names = namesOf(a);
  return names.length === namesOf(b).length && names.every((name) => Object.is(a[name], b[name]));
}

/** Whether two effects are the same but for numbers with fractions, which machines may compute with small differences. */
const isSimilar = (a: AnyEffect, b: AnyEffect): boolean =>
  namesOf(a).every((name) => {
    const [one, other] = [a[name], b[name]];
    return Object.is(one, other) || (typeof one === typeof other && (isFraction(one) || isFraction(other)));
  });

const isFraction = (value: unknown): boolean => typeof value === "number" && !Number.isInteger(value);
