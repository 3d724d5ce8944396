import {
  LIVE,
  type Fields,
  type Hash,
  type Layout,
  type State,
  type StateOptions,
  type World,
} from "../state/index.js";
import { badValue, isPromise, requireFunction, requireSynchronous } from "../errors/index.js";
import type { AnyEffect } from "./effects.js";
import { describeNonFinite } from "./finite.js";
import type { Guard } from "./guard.js";
import { columnsOf, InputMemory } from "./input-memory.js";
import { inputsOf } from "./inputs.js";
import type { ExternalState, ExternalStates } from "./external.js";
import type { AnySimulation, StepContext } from "./simulation.js";

/** Options of everything that runs a simulation. */
export interface RunOptions extends StateOptions {
  /** What chance begins with: a whole number or any text. Default 0. */
  readonly seed?: number | string | undefined;
  /** Watches what a step does that would differ elsewhere: `guard()`, while you develop. */
  readonly guard?: Guard | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const silent = () => {};

/** One copy of a simulation that runs: its state, with snapshots, and what lives outside. Sessions tell it what to do. */
export class Run<S extends Fields = Fields> {
  readonly state: State<S>;
  readonly world: World<S>;
  /** The words of all players in the tick that is stepped. */
  readonly words: Uint32Array;
  readonly #simulation: AnySimulation<S>;
  readonly #memory: InputMemory;
  readonly #inputs: readonly object[];
  readonly #context: Mutable<StepContext>;
  readonly #external: [string, ExternalState][];
  /** Of each snapshot. */
  readonly #externalBytes: (Uint8Array[] | undefined)[] = [];
  readonly #guard: Guard | undefined;
  /** The world that `init` and steps get: always the same one, as they may keep its parts. With a guard, it is one that checks its use. */
  readonly #stepWorld: World<S>;
  /** The promise that the last step returned, if it was refused for that: it still runs, and can write to the world. */
  stray: PromiseLike<unknown> | undefined;
  #tell: (effect: AnyEffect) => void = silent;
  #isBusy = false;

  constructor(simulation: AnySimulation<S>, snapshots: number, options: RunOptions = {}) {
    const { seed = 0, guard } = options;
    if (guard !== undefined) requireFunction("session: guard.enter", guard?.enter, "guard()");
    const { players, packing, rate } = simulation;
    const state = simulation.layout.allocate(snapshots, { kernels: options.kernels });
    const columns = columnsOf(state.beside);
    this.#simulation = simulation;
    this.state = state;
    this.world = state.world;
    this.words = new Uint32Array(players * packing.words);
    this.#inputs = Object.freeze(
      Array.from({ length: players }, (_, player) =>
        inputsOf(packing, this.words, player * packing.words, columns, player),
      ),
    );
    this.#memory = new InputMemory(packing, players, this.words, columns);
    this.#external = madeOf(simulation.options.external ?? {});
    this.#guard = guard;
    this.#stepWorld = guard ? state.guardedWorld(numbersIn(state.layout) <= MOST_CHECKED) : state.world;
    this.#context = {
      tick: 0,
      dt: rate[1] / rate[0],
      time: 0,
      random: state.random,
      emit: (name, values) => this.#emit(name, values),
      external: Object.fromEntries(this.#external),
    };
    state.random.seed(seed);
    this.#enter("init");
    try {
      const { external } = this.#context;
      const returned: unknown = simulation.options.init?.(this.#stepWorld, {
        random: state.random,
        players,
        external,
      });
      requireSynchronous("Simulation: init", returned, "to await what it needs before the session is made");
      if (guard) this.#requireFinite("init");
    } catch (error) {
      this.dispose();
      throw error;
    } finally {
      this.#leave();
    }
  }

  /** Whether `init` or a step is running. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  get tick(): number {
    return this.state.tick;
  }

  /** One step with the inputs in `words`. Effects are told to `tell`; without it, to nobody. */
  step(tell: (effect: AnyEffect) => void = silent): void {
    const { state } = this;
    const context = this.#context;
    const { rate, options } = this.#simulation;
    const tick = state.tick;
    context.tick = tick;
    context.time = (tick * rate[1]) / rate[0];
    this.#tell = tell;
    this.#enter("step");
    try {
      this.#memory.enter();
      const returned: unknown = options.step(this.#stepWorld, this.#inputs as never, context);
      if (returned !== undefined) this.#requireSynchronous(returned);
      this.#memory.leave();
      if (this.#guard) this.#requireFinite(`the step of tick ${tick}`);
    } finally {
      this.#leave();
      this.#tell = silent;
    }
    state.tick = tick + 1;
  }

  #requireFinite(writer: string): void {
    const [found] = this.state.nonFinite(1);
    if (found) throw new RangeError(`Simulation: ${describeNonFinite([found], writer)}`);
  }

  #requireSynchronous(returned: unknown): void {
    if (isPromise(returned)) this.stray = returned;
    requireSynchronous(
      "Simulation: step",
      returned,
      "it without async: nothing may happen between two steps",
    );
  }

  #enter(call: string): void {
    this.requireIdle(`Simulation: ${call}`);
    this.#isBusy = true;
    if (this.#guard) this.#guard.enter(call);
  }

  #leave(): void {
    this.#isBusy = false;
    if (this.#guard) this.#guard.leave();
  }

  /** A step must not run, save or load the simulation that it is a step of. */
  requireIdle(call: string): void {
    if (this.#isBusy)
      badValue(call, "called outside of steps", "a call in one", "an effect, and its listener");
  }

  #emit(name: string, values?: object): void {
    this.#tell(this.#simulation.effects.make(name, values as Record<string, unknown>, this.#context.tick));
  }

  save(snapshot: number): void {
    this.state.save(snapshot);
    if (this.#external.length > 0) this.#externalBytes[snapshot] = this.saveExternal();
  }

  load(snapshot: number): void {
    this.state.load(snapshot);
    if (this.#external.length > 0) this.loadExternal(this.#externalBytes[snapshot]!);
  }

  /** Of the whole: the state's own hash, if nothing lives outside. */
  hash(out: [number, number] = [0, 0]): Hash {
    this.state.hash(LIVE, out);
    for (const [, external] of this.#external) {
      const [a, b] = external.hash();
      out[0] = Math.imul(out[0] ^ a, 0x7feb352d) >>> 0;
      out[1] = Math.imul(out[1] ^ b, 0x846ca68b) >>> 0;
    }
    return out;
  }

  /** The hashes of what lives outside, by name. */
  externalHashes(): readonly (readonly [string, Hash])[] {
    return this.#external.map(([name, external]) => [name, external.hash()]);
  }

  /** The bytes of what lives outside, in order of declaration. */
  saveExternal(): Uint8Array[] {
    return this.#external.map(([, external]) => external.save());
  }

  loadExternal(bytes: readonly Uint8Array[]): void {
    this.#external.forEach(([, external], i) => external.load(bytes[i]!));
  }

  /** Whether something lives outside, which only a snapshot of it can bring back. */
  get hasExternal(): boolean {
    return this.#external.length > 0;
  }

  dispose(): void {
    for (const [, external] of this.#external) external.dispose?.();
    this.#external.length = 0;
  }
}

/** A state with more numbers than this in columns is not checked, as each checked access takes a quarter of a microsecond. */
const MOST_CHECKED = 2000;

/** How many numbers the columns of a layout have. */
const numbersIn = ({ leaves }: Layout): number =>
  leaves.reduce((sum, { hidden, rows, stride }) => (hidden ? sum : sum + rows * stride), 0);

/** Makes what lives outside; if one cannot be made, those before it are given back. */
function madeOf(makers: ExternalStates): [string, ExternalState][] {
  const made: [string, ExternalState][] = [];
  try {
    for (const [name, make] of Object.entries(makers)) {
      const external = make();
      for (const verb of ["save", "load", "hash"] as const)
        if (typeof external?.[verb] !== "function")
          badValue(
            `simulation: external.${name}`,
            `a function that returns an object with save, load and hash`,
            external,
            "to await what it needs before the session is made",
          );
      made.push([name, external]);
    }
  } catch (error) {
    for (const [, external] of made) external.dispose?.();
    throw error;
  }
  return made;
}
