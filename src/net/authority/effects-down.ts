import { badValue } from "../../errors/index.js";
import type { AnyEffect } from "../../sim/effects.js";
import type { Fields, ReadonlyWorld } from "../../state/index.js";
import { EffectCodec, MAX_EFFECT_BYTES } from "./effect-codec.js";
import type { ServerClient } from "./server-client.js";
import type { ServerCore } from "./server-core.js";
import { EFFECT_LIST, NO_EFFECTS, UNTOLD, type StateHead } from "./state-packet.js";

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
  /** From this tick on, all effects are kept. */
  #completeFrom = 0;
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
    if (old === 0) return;
    this.#completeFrom = kept[old - 1]!.tick + 1;
    kept.splice(0, old);
  };

  /** Forgets the effects of a step that failed. */
  discardFrom(tick: number): void {
    const kept = this.#kept;
    while (kept.length > 0 && kept[kept.length - 1]!.tick >= tick) kept.pop();
  }

  /**
   * Writes the effects since the state that a client has to `bytes`, and sets the form that the head of the state tells. Returns how many
   * bytes.
   */
  write({ ack, seats }: ServerClient, head: StateHead): number {
    const { tick } = this.#core;
    head.effects = UNTOLD;
    // A client without any state has missed nothing.
    if (ack === 0 || !this.isUsed) return 0;
    const chosen = this.#chosen;
    chosen.length = 0;
    for (let i = this.#kept.length - 1; i >= 0 && this.#kept[i]!.tick >= ack; i--)
      if (this.#isFor(seats, this.#kept[i]!)) chosen.push(this.#kept[i]!);
    const complete = Math.max(ack, this.#completeFrom);
    if (chosen.length === 0 && complete === head.baseline) {
      head.effects = NO_EFFECTS;
      return 0;
    }
    head.effects = EFFECT_LIST;
    chosen.reverse();
    return this.#codec.write(chosen, complete, tick, this.#view);
  }

  #isFor(seats: readonly number[], effect: AnyEffect): boolean {
    if (typeof this.#rule === "boolean") return this.#rule;
    const isHeard: unknown = this.#rule(effect, seats, this.#core.run.world);
    if (typeof isHeard !== "boolean")
      badValue("serverSession: the result of effects", "true or false", isHeard, "no async function");
    return isHeard;
  }
}
