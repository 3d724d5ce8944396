import type { SimulatedNetwork } from "tickwise/testing";
import { alphaAfter } from "../../../../lab/src/arena/alpha.js";
import { discs, playDisc, SEATS } from "../../duel/game.js";

/** Ticks that a phone may be ahead of what it knows. */
const WINDOW = 20;

/** The phone of a player. */
export class Phone {
  readonly peer;
  /** Called after a step, and after a correction. */
  onStep = () => {};
  onCorrection = () => {};
  readonly #network: SimulatedNetwork;
  #steppedAt = 0;

  constructor(network: SimulatedNetwork, seat: number, rollsBack: boolean) {
    this.#network = network;
    this.peer = network.peer(discs, {
      seats: [seat],
      start: SEATS,
      window: rollsBack ? WINDOW : 0,
      delay: 0,
      skew: 0,
      inputs: ([player], { tick }) => playDisc(player, seat, tick),
    });
    const { session } = this.peer;
    this.peer.afterAdvance = (result) => {
      if (result === "stalled") return;
      this.#steppedAt = network.time.now();
      this.onStep();
    };
    session.net.on("rollback", () => this.onCorrection());
  }

  view() {
    const { session } = this.peer;
    return session.view(alphaAfter(session, this.#network.time.now() - this.#steppedAt));
  }
}
