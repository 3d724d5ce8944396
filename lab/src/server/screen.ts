import type { ViewOf } from "../../../scenes/index.js";
import type { SimulatedNetwork, SimulatedPeer } from "../../../src/net/simulated.js";
import type { Advance, Session } from "../../../src/sim/index.js";
import { alphaAfter } from "../arena/alpha.js";

export type ArenaView = ViewOf<"arena">;

/** The screen of a machine, which draws between the steps of its session. */
export class Screen<T extends Session<ArenaView>> {
  readonly #network: SimulatedNetwork;
  readonly #session: T;
  #steppedAt = 0;

  /** Calls `afterAdvance` after each turn of the machine's loop. */
  constructor(
    network: SimulatedNetwork,
    machine: SimulatedPeer<T>,
    afterAdvance?: (result: Advance) => void,
  ) {
    this.#network = network;
    this.#session = machine.session;
    machine.afterAdvance = (result) => {
      this.#steppedAt = network.time.now();
      afterAdvance?.(result);
    };
  }

  /** Where between two steps the picture is now, from 0 to 1. */
  get alpha(): number {
    return alphaAfter(this.#session, this.#network.time.now() - this.#steppedAt);
  }

  view(): ArenaView {
    return this.#session.view(this.alpha);
  }
}
