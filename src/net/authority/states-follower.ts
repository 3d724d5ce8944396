import { LIVE } from "../../state/index.js";
import type { AnyEffect } from "../../sim/effects.js";
import { wordName, columnsOf } from "../../sim/input-memory.js";
import type { SnapshotCodec } from "../snapshot/snapshot-codec.js";
import type { WireImage } from "../snapshot/wire-image.js";
import type { ClientCore } from "./client-core.js";
import { StateReceiver } from "./state-receiver.js";

/** Follows a server by its states: loads them, and replays the own inputs that the server has not used yet. */
export class StatesFollower {
  readonly #core: ClientCore;
  readonly #codec: SnapshotCodec;
  readonly receiver: StateReceiver;
  readonly #words: Uint32Array;
  /** What happened in the ticks that led to the newest state, until that is loaded: from `first` to before `end`, all. */
  #effects: { readonly first: number; readonly end: number; readonly effects: readonly AnyEffect[] }[] = [];
  /** The newest state that was not loaded yet. */
  #arrived: WireImage | undefined;
  /** The tick of the newest state that was loaded: what follows is a prediction. */
  known = 0;

  constructor(core: ClientCore, codec: SnapshotCodec) {
    const { packing } = core.simulation;
    this.#core = core;
    this.#codec = codec;
    this.receiver = new StateReceiver(codec, core.simulation);
    this.receiver.onEffects = this.#takeEffects;
    this.#words = new Uint32Array(packing.words);
  }

  /** Forgets all states, as the server was joined again. The next one is of about this tick. */
  reset(tick: number): void {
    this.receiver.reset(tick);
    this.#arrived = undefined;
    this.#effects = [];
    this.#core.rollback.presenter.effects.discardFrom(0);
  }

  get ack(): number {
    return this.receiver.ack;
  }

  readonly #takeEffects = (first: number, end: number, effects: readonly AnyEffect[]): void => {
    if (this.#core.rollback.emitsEffects) this.#effects.push({ first, end, effects: [...effects] });
  };

  readonly take = (image: WireImage): void => {
    this.#arrived = image;
  };

  get hasArrived(): boolean {
    return this.#arrived !== undefined;
  }

  /** Loads the newest state, and simulates again what follows. Returns whether anything changed. */
  load(): boolean {
    const image = this.#arrived;
    if (!image) return false;
    this.#arrived = undefined;
    const { rollback } = this.#core;
    const { tick } = image;
    const isChanged = rollback.rebase(
      tick,
      () => {
        this.#codec.write(image, rollback.run.state, LIVE);
        rollback.run.rebuildExternal();
      },
      this.#beforeReplay,
    );
    this.known = tick;
    for (const { first, end, effects } of this.#effects) rollback.settleEffects(first, end, effects);
    this.#effects.length = 0;
    rollback.deliverHeadless();
    return isChanged;
  }

  /** Notes what the others did last, to predict that they go on. */
  readonly #beforeReplay = (tick: number): void => {
    const { rollback, seats, simulation } = this.#core;
    const { log, run } = rollback;
    this.known = tick;
    if (tick === 0) return;
    const { before } = columnsOf(run.state.beside);
    const words = this.#words;
    for (let seat = 0; seat < simulation.players; seat++) {
      log.setAbsent(tick - 1, seat, this.receiver.absent[seat] === 1);
      if (seats.includes(seat)) continue;
      for (let word = 0; word < words.length; word++) words[word] = before[wordName(word)]![seat]!;
      log.writeSeat(tick - 1, seat, words, 0);
    }
  };
}
