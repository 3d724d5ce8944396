import type { AnyEffect } from "../../sim/effects.js";
import type { Fields, ReadonlyWorld } from "../../state/index.js";
import { EffectCodec, MAX_EFFECT_BYTES } from "./effect-codec.js";
import type { ServerClient } from "./server-client.js";
import type { ServerCore } from "./server-core.js";

/** Says which effects a client gets. */
export type EffectRule =
  | boolean
  | ((effect: AnyEffect, seats: readonly number[], world: ReadonlyWorld<Fields>) => boolean);

/** Ticks for which effects are kept, and how many at most: a client that acknowledges nothing for so long gets only the newest ones. */
const KEPT_TICKS = 256;
const MAX_KEPT = 4096;

/** Keeps the effects of the last ticks for clients that get states. They do not simulate what others do, so the server tells them. */
export class EffectsDown {
  readonly #core: ServerCore;
  readonly #codec: EffectCodec;
  readonly #rule: EffectRule;
  readonly #kept: AnyEffect[] = [];
  readonly #chosen: AnyEffect[] = [];
  readonly bytes = new Uint8Array(MAX_EFFECT_BYTES);
  readonly #view = new DataView(this.bytes.buffer);

  constructor(core: ServerCore, rule: EffectRule) {
    this.#core = core;
    this.#rule = rule;
    this.#codec = new EffectCodec(core.simulation.effects);
  }

  /** Whether effects are to be added. */
  get isUsed(): boolean {
    return this.#codec.isUsed && this.#rule !== false;
  }

  readonly add = (effect: AnyEffect): void => {
    const kept = this.#kept;
    kept.push(effect);
    let old = 0;
    while (kept[old]!.tick < effect.tick - KEPT_TICKS || kept.length - old > MAX_KEPT) old++;
    if (old > 0) kept.splice(0, old);
  };

  /** Forgets the effects of a step that failed. */
  discardFrom(tick: number): void {
    const kept = this.#kept;
    while (kept.length > 0 && kept[kept.length - 1]!.tick >= tick) kept.pop();
  }

  /** Writes the effects since the state that a client has to `bytes`. Returns how many bytes. */
  write({ ack, seats }: ServerClient): number {
    const { tick, run } = this.#core;
    const chosen = this.#chosen;
    const rule = this.#rule;
    // A client without any state has missed nothing.
    if (ack === 0 || rule === false) return this.#codec.writeUnknown(this.#view);
    chosen.length = 0;
    if (this.#codec.isUsed)
      for (let i = this.#kept.length - 1; i >= 0 && this.#kept[i]!.tick >= ack; i--) {
        const effect = this.#kept[i]!;
        if (rule === true || rule(effect, seats, run.world)) chosen.push(effect);
      }
    chosen.reverse();
    return this.#codec.write(chosen, tick, this.#view);
  }
}
