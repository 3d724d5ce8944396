import type { arena } from "../../../scenes/arena.js";
import type { EffectOf } from "../../../src/sim/index.js";

export type ArenaEffect = EffectOf<typeof arena>;

/** An effect on screen. */
export interface ShownEffect {
  readonly effect: ArenaEffect;
  /** When it was shown, in milliseconds. */
  readonly at: number;
  isWithdrawn: boolean;
}

/** Milliseconds for which an effect stays on screen. */
export const EFFECT_TIME = 600;

/** The effects on screen. Those that did not happen after all are marked. */
export class ShownEffects {
  #all: ShownEffect[] = [];

  get all(): readonly ShownEffect[] {
    return this.#all;
  }

  add(effect: ArenaEffect, at: number): void {
    this.#all.push({ effect, at, isWithdrawn: false });
  }

  withdraw(effect: ArenaEffect): void {
    const shown = this.#all.find((one) => !one.isWithdrawn && isSame(one.effect, effect));
    if (shown) shown.isWithdrawn = true;
  }

  /** Removes effects that were shown for long enough. */
  advanceTo(now: number): void {
    if (this.#all.some(({ at }) => now - at >= EFFECT_TIME))
      this.#all = this.#all.filter(({ at }) => now - at < EFFECT_TIME);
  }

  clear(): void {
    this.#all = [];
  }
}

const isSame = (a: ArenaEffect, b: ArenaEffect): boolean =>
  a.name === b.name && a.tick === b.tick && a.x === b.x && a.y === b.y;
