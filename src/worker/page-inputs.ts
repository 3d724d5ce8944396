import type { InputFields, InputLatch, InputSource, StepTiming } from "../input/index.js";
import { InputSampler, type InputsFrom } from "../sim/input-sampler.js";
import type { AnySimulation } from "../sim/index.js";
import type { Fields } from "../state/index.js";
import { LATCH_KINDS, type LatchStart } from "./protocol.js";

/** Where the inputs of the page go. */
export interface InputsTo {
  /** Sends an event of a latch: player, index of its kind, slot, bits and timestamp by the page's clock. */
  event(player: number, kind: number, slot: number, bits: number, timestamp: number): void;
  /** Sends the packed inputs of all players, which have changed. */
  words(words: Uint32Array): void;
}

/** The inputs of the page: forwards what happens to latches at once, and samples everything else before each step. */
export class PageInputs<I extends InputFields, P extends number> {
  readonly #to: InputsTo;
  readonly #sampler: InputSampler<I, P>;
  readonly #players: number;
  /** By player. */
  #latches: readonly (InputLatch | undefined)[] = [];
  #isSampled = false;
  /** The words that were sent last. */
  readonly #sent: Uint32Array;

  constructor(call: string, simulation: AnySimulation<Fields, I, P>, inputs: InputsFrom<I, P>, to: InputsTo) {
    this.#to = to;
    this.#players = simulation.players;
    this.#sampler = new InputSampler<I, P>(call, simulation as never, inputs);
    this.#sent = new Uint32Array(simulation.players * simulation.packing.words);
    this.#use(call, inputs);
  }

  /** What the worker begins with. */
  get start(): { readonly latches: readonly (LatchStart | undefined)[]; readonly words: Uint32Array } {
    return {
      latches: this.#latches.map(
        (latch) => latch && { fractions: latch.options.fractions as object | undefined, ...latch.held },
      ),
      words: this.#sent,
    };
  }

  /** Takes inputs from another source from now on. */
  setSource(call: string, inputs: InputsFrom<I, P>): void {
    // Checks it first.
    this.#sampler.setSource(call, inputs);
    this.leave();
    this.#use(call, inputs);
  }

  #use(call: string, inputs: InputsFrom<I, P>): void {
    const isFunction = typeof inputs === "function";
    const sources = (
      inputs === undefined || isFunction ? [] : Array.isArray(inputs) ? inputs : [inputs]
    ) as readonly (InputSource | undefined)[];
    this.#latches = sources.map((source) => (isLatch(source) ? source : undefined));
    this.#isSampled = isFunction || sources.some((source) => source && !isLatch(source));
    // Latches are sampled in the worker.
    if (this.#latches.some((latch) => latch)) {
      const others = Array.from({ length: this.#players }, (_, player) =>
        isLatch(sources[player]) ? undefined : sources[player],
      );
      this.#sampler.setSource(call, others);
    }
    this.#latches.forEach((latch, player) =>
      latch?.tellTo((kind, slot, bits, timestamp) =>
        this.#to.event(player, LATCH_KINDS.indexOf(kind), slot, bits, timestamp),
      ),
    );
  }

  /** Reads devices that send no events, and samples everything that is no latch. Sends it if it has changed. */
  sample(tick: number, timing: StepTiming): void {
    for (let i = 0; i < this.#latches.length; i++) this.#latches[i]?.poll();
    if (!this.#isSampled) return;
    const words = this.#sampler.sample(tick, false, timing);
    const sent = this.#sent;
    let isSame = true;
    for (let i = 0; i < words.length; i++) isSame &&= words[i] === sent[i];
    if (isSame) return;
    sent.set(words);
    this.#to.words(sent);
  }

  /** Leaves the latches alone. */
  leave(): void {
    for (const latch of this.#latches) latch?.tellTo(undefined);
    this.#latches = [];
  }
}

const isLatch = (source: InputSource | undefined): source is InputLatch =>
  typeof (source as Partial<InputLatch> | undefined)?.tellTo === "function";
