import { Pace } from "./pace.js";
import type { PeerCore } from "./peer-core.js";

/** Ticks that a session may take at once, to catch up. */
const MAX_CATCH_UP = 8;
/** Ticks that a spectator keeps in hand, so that jitter does not stop it. */
const IN_HAND = 4;

/** Keeps a peer in step with the others: says how fast to run, and how many steps to take at once. */
export class PeerPace {
  readonly #core: PeerCore;
  readonly #pace = new Pace();

  constructor(core: PeerCore) {
    this.#core = core;
  }

  /** Near 1: less if this peer is ahead of the others, more if it is behind. */
  get value(): number {
    return this.#pace.value;
  }

  /** How many steps to take at once: more than one only if others are far ahead. */
  stepsDue(delay: number): number {
    const { own, streams, known } = this.#core.members;
    const { tick } = this.#core.rollback;
    if (own === undefined || !own.isSeated) {
      const behind = Math.min(known, this.#core.members.stopTick) - tick;
      const isFar = behind > 3 * IN_HAND && behind < Infinity;
      return isFar ? Math.min(MAX_CATCH_UP, Math.ceil(behind / 8)) : 1;
    }
    let others = Infinity;
    for (const stream of streams)
      if (stream.isSeated && stream !== own && stream.end < others) others = stream.end;
    const behind = others - tick - delay;
    return behind > 3 && behind < Infinity ? Math.min(MAX_CATCH_UP, 1 + Math.ceil(behind / 4)) : 1;
  }

  /** A relay steps only what it knows, so it keeps a clock of its own, about where its players are. */
  advanceClock(): void {
    const { own, streams } = this.#core.members;
    if (own === undefined || own.isSeated) return;
    let newest = this.#core.tick;
    let roundTrip = 0;
    for (const { end, isSeated } of streams) if (isSeated && end > newest) newest = end;
    for (const { quality } of this.#core.peers.all) roundTrip = Math.max(roundTrip, quality.roundTrip);
    const latest = newest + Math.ceil(roundTrip / 2 / this.#core.tickMs) + IN_HAND;
    this.#core.clock = Math.max(this.#core.tick, Math.min(this.#core.clock + 1, latest));
  }

  /** Slows down if this peer is ahead of the others, and speeds up if it is behind. */
  update(): void {
    const { own, known, isPaused } = this.#core.members;
    const pace = this.#pace;
    const before = pace.value;
    // A paused game measures nothing: nobody steps.
    if (isPaused) {
      for (const peer of this.#core.peers.all) peer.advantage.reset();
      return;
    }
    if (pace.tick()) for (const peer of this.#core.peers.all) peer.advantage.reset();
    if (own === undefined) {
      // Spectators adapt alone.
      this.#core.net.advantage = known === Infinity ? 0 : IN_HAND - (known - this.#core.tick);
      pace.advantage[0] = this.#core.net.advantage;
      if (Math.abs(this.#core.net.advantage) > IN_HAND / 2) pace.correct(0, true);
    } else if (!pace.isCorrecting) this.#correctAdvantage();
    if (pace.value !== before && this.#core.net.isHeard("pace"))
      this.#core.net.emit("pace", { pace: pace.value, advantage: this.#core.net.advantage });
  }

  #correctAdvantage(): void {
    const { advantage } = this.#pace;
    let count = 0;
    let isExact = true;
    advantage[0] = 0;
    for (const peer of this.#core.peers.all) {
      if (this.#core.members.indexOf(peer.id) < 0) continue;
      if (!peer.advantage.isKnown) return;
      if (!peer.advantage.isExact) isExact = false;
      peer.advantage.addTo(advantage);
      count++;
    }
    if (count === 0) return;
    advantage[0]! /= count;
    this.#core.net.advantage = advantage[0]!;
    this.#pace.correct(count, isExact);
  }
}
