import { misuse } from "../errors/index.js";
import { joined, titleFor } from "../sim/bytes.js";
import type { AnySimulation } from "../sim/simulation.js";
import type { Fields, Hash } from "../state/index.js";
import type { PageStates } from "./page-states.js";
import { HEAD_FIRST, HEAD_FLAGS, HEAD_LAST, HEAD_TICK, IS_REWINDING } from "./state-head.js";

/** The newest state that has arrived from the worker, and what the worker said with it. */
export class NewestState<S extends Fields> {
  /** The states that are shown. Those of another worker, after a restart. */
  states: PageStates<S>;
  readonly hasExternal: boolean;
  readonly #simulation: AnySimulation<S>;

  constructor(simulation: AnySimulation<S>, states: PageStates<S>) {
    this.#simulation = simulation;
    this.states = states;
    this.hasExternal = Object.keys(simulation.options.external ?? {}).length > 0;
  }

  get tick(): number {
    const { ring } = this.states;
    return ring.newest < 0 ? 0 : Math.floor(ring.read(ring.newest, HEAD_TICK));
  }

  /** The oldest state in the worker's history. */
  get first(): number {
    const { ring } = this.states;
    return ring.newest < 0 ? 0 : ring.read(ring.newest, HEAD_FIRST);
  }

  /** The newest state in the worker's history. */
  get last(): number {
    const { ring } = this.states;
    return ring.newest < 0 ? 0 : ring.read(ring.newest, HEAD_LAST);
  }

  get rewinding(): boolean {
    const { ring } = this.states;
    return ring.newest >= 0 && (ring.read(ring.newest, HEAD_FLAGS) & IS_REWINDING) !== 0;
  }

  hash(out?: [number, number]): Hash {
    this.requireState("Session.hash");
    this.#requireNoExternal("Session.hash");
    return this.states.state.hash(this.states.ring.newest, out);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    this.requireState("Session.bytes");
    this.#requireNoExternal("Session.bytes");
    return joined(titleFor(this.#simulation as AnySimulation), [
      this.states.state.bytes(this.states.ring.newest),
    ]);
  }

  requireState(call: string): void {
    if (!this.states.hasState)
      misuse(
        "not-ready",
        call,
        "no state has arrived from the worker yet",
        "Wait for it: await session.ready",
      );
  }

  #requireNoExternal(call: string): void {
    if (this.hasExternal)
      misuse(
        "unsupported",
        call,
        "the simulation has external state, which stays in the worker",
        "Call await session.save()",
      );
  }
}
