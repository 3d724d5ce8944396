import { EffectQueue } from "../sim/effect-queue.js";
import type { AnyEffect } from "../sim/effects.js";

/**
 * Holds effects until the picture shows them. After a seek, a rewind or a load, ticks repeat: the effects of that epoch wait until the
 * picture has got there, and those of the epoch before that nobody has seen are discarded.
 */
export class EffectsShown {
  readonly #queue: EffectQueue;
  #epoch = 0;
  /** Effects that were not delivered, at least. */
  #waiting = 0;
  #later: { readonly epoch: number; readonly effect: AnyEffect }[] = [];

  constructor(dt: number) {
    this.#queue = new EffectQueue(dt);
  }

  /** Effects that were discarded, as too many waited for a picture. */
  get lost(): number {
    return this.#queue.lost;
  }

  /** Whether there is an effect that was not delivered. Most frames have none, and must not allocate. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  add(epoch: number, effects: readonly AnyEffect[]): void {
    this.#waiting += effects.length;
    for (const effect of effects)
      if (epoch === this.#epoch) this.#queue.add(effect);
      else if (epoch > this.#epoch) this.#later.push({ epoch, effect });
  }

  /** Delivers what a picture shows: `position` in ticks, of an epoch. */
  deliver(epoch: number, position: number, call: (effect: AnyEffect) => void): void {
    if (epoch > this.#epoch) this.#enter(epoch);
    if (epoch < this.#epoch) return;
    this.#queue.deliver(position, (effect) => {
      this.#waiting--;
      call(effect);
    });
    this.#queue.confirm(position);
    if (this.#queue.isEmpty) this.#waiting = this.#later.length;
  }

  #enter(epoch: number): void {
    this.#epoch = epoch;
    this.#queue.discardFrom(0);
    const later = this.#later;
    this.#later = later.filter((entry) => entry.epoch > epoch);
    for (const entry of later) if (entry.epoch === epoch) this.#queue.add(entry.effect);
  }

  /** Forgets all effects, as the session begins again. */
  clear(): void {
    this.#queue.discardFrom(0);
    this.#later = [];
    this.#waiting = 0;
    this.#epoch = 0;
  }
}
