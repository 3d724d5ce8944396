import { EffectQueue } from "../sim/effect-queue.js";
import type { AnyEffect } from "../sim/effects.js";

/**
 * Holds effects until the picture shows them. After a seek, a rewind or a load, ticks repeat: the effects after such a jump wait until
 * the picture has jumped too, and those before it that nobody has seen are discarded. `jumps` counts them.
 */
export class EffectsShown {
  readonly #queue: EffectQueue;
  #jumps = 0;
  /** Effects that were not delivered, at least. */
  #waiting = 0;
  #later: { readonly jumps: number; readonly effect: AnyEffect }[] = [];

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

  add(jumps: number, effects: readonly AnyEffect[]): void {
    this.#waiting += effects.length;
    for (const effect of effects)
      if (jumps === this.#jumps) this.#queue.add(effect);
      else if (jumps > this.#jumps) this.#later.push({ jumps, effect });
  }

  /** Delivers what a picture shows: `position` in ticks, after some jumps. */
  deliver(jumps: number, position: number, call: (effect: AnyEffect) => void): void {
    if (jumps > this.#jumps) this.#enter(jumps);
    if (jumps < this.#jumps) return;
    this.#queue.deliver(position, (effect) => {
      this.#waiting--;
      call(effect);
    });
    this.#queue.confirm(position);
    if (this.#queue.isEmpty) this.#waiting = this.#later.length;
  }

  #enter(jumps: number): void {
    this.#jumps = jumps;
    this.#queue.discardFrom(0);
    const later = this.#later;
    this.#later = later.filter((entry) => entry.jumps > jumps);
    for (const entry of later) if (entry.jumps === jumps) this.#queue.add(entry.effect);
  }

  /** Forgets all effects, as the session begins again. */
  clear(): void {
    this.#queue.discardFrom(0);
    this.#later = [];
    this.#waiting = 0;
    this.#jumps = 0;
  }
}
