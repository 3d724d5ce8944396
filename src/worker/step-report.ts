import type { AnyEffect } from "../sim/effects.js";
import type { ConfirmedTick, LocalSession } from "../sim/index.js";
import type { Report, Wants } from "./protocol.js";

/** Collects what a step brings besides its state, as far as the page wants it: effects, and the confirmed tick. */
export class StepReport {
  readonly #session: LocalSession;
  #wants: Wants;
  #needsState: boolean;
  #effects: AnyEffect[] = [];
  #confirmed: Report["confirmed"];

  constructor(session: LocalSession, wants: Wants) {
    this.#session = session;
    this.#wants = wants;
    this.#needsState = wants.needsState;
    session.on("confirmed", (confirmed) => this.#onConfirmed(confirmed));
    if (wants.effects) this.#listenToEffects();
  }

  set wants(wants: Wants) {
    if (wants.effects && !this.#wants.effects) this.#listenToEffects();
    this.#wants = wants;
    this.#needsState ||= wants.needsState;
  }

  /** Sends the next confirmed tick with its state: recorders cannot compute it from the one before. */
  needState(): void {
    this.#needsState = true;
  }

  #listenToEffects(): void {
    this.#session.on("effect", (effect) => this.#effects.push(effect as AnyEffect));
  }

  #onConfirmed({ tick, words, commands, absent, hash, bytes }: ConfirmedTick): void {
    const { confirmed, hashEvery, bytesEvery } = this.#wants;
    if (!confirmed) return;
    const isBytes = this.#needsState || isMultiple(tick + 1, bytesEvery);
    // A recorder stores a checkpoint with each keyframe.
    const isHash = isBytes || isMultiple(tick + 1, hashEvery);
    this.#confirmed = {
      words,
      commands,
      absent,
      hash: isHash ? hash() : undefined,
      bytes: isBytes ? bytes() : undefined,
    };
    this.#needsState = false;
  }

  /** Returns what the last step has brought, and forgets it. Undefined if there is nothing to tell. */
  take(start: number, jumps: number): Report | undefined {
    const effects = this.#effects;
    const confirmed = this.#confirmed;
    if (effects.length === 0 && !confirmed) return undefined;
    this.#effects = [];
    this.#confirmed = undefined;
    return {
      kind: "report",
      start,
      jumps,
      tick: this.#session.tick - 1,
      effects: effects.length > 0 ? effects : undefined,
      confirmed,
    };
  }
}

const isMultiple = (tick: number, every: number): boolean => every > 0 && tick % every === 0;
