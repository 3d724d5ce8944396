import {
  LIVE,
  type Fields,
  type Hash,
  type Layout,
  type State,
  type StateOptions,
  type World,
} from "../state/index.js";
import type { InputFields } from "../input/index.js";
import { badValue, isPromise, misuse, onBehalfOf, requireSynchronous, typeTag } from "../errors/index.js";
import { AbsentSeats, type Absent } from "./absent.js";
import { BeatRunner } from "./beats.js";
import { NO_COMMANDS, type PackedCommand } from "./commands.js";
import type { AnyEffect } from "./effects.js";
import { fixForNonFinite, problemOfNonFinite } from "./finite.js";
import type { Guard } from "./guard.js";
import { columnsOf, InputMemory } from "./input-memory.js";
import { allInputsOf } from "./inputs.js";
import type { ExternalMakers, ExternalState, ExternalStates } from "./external.js";
import type { AnySimulation, StepContext } from "./simulation.js";

/** Options of everything that runs a simulation. */
export interface RunOptions extends StateOptions {
  /** The seed of the random generator: a whole number or any text. Default 0. */
  readonly seed?: number | string | undefined;
  /** Throws if a step does something that is not deterministic. Pass `guard()` during development. */
  readonly guard?: Guard | undefined;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const ignore = () => {};

/** Runs one copy of a simulation: its state, with snapshots, and its external states. Sessions control it. */
export class Run<S extends Fields = Fields> {
  readonly state: State<S>;
  readonly world: World<S>;
  /** The packed inputs of all players for the next step. */
  readonly words: Uint32Array;
  /** One per player: 1 if the seat is absent, from the next step on. The step overwrites the words of absent seats. */
  readonly absent: Uint8Array;
  /** The commands of the next step. Set it before each step: a step does not clear it. */
  commands: readonly PackedCommand[];
  readonly #simulation: AnySimulation<S>;
  readonly #memory: InputMemory;
  readonly #inputs: readonly object[];
  readonly #absentSeats: AbsentSeats;
  readonly #context: Mutable<StepContext>;
  /** Only if the simulation has beats. */
  readonly #beats: BeatRunner | undefined;
  readonly #external: [string, ExternalState][];
  /** The external states of each snapshot. */
  readonly #externalBytes: (Uint8Array[] | undefined)[] = [];
  readonly #guard: Guard | undefined;
  /** The world that `init` and `step` receive. It never changes, as they may keep references to its parts. With a guard, it checks every access. */
  readonly #stepWorld: World<S>;
  /** The promise of a step that was rejected for returning it. The step continues, and can still write to the world. */
  stray: PromiseLike<unknown> | undefined;
  #deliver: (effect: AnyEffect) => void = ignore;
  #isBusy = false;

  /** Errors about the options name `call`. */
  constructor(
    simulation: AnySimulation<S>,
    snapshots: number,
    options: RunOptions = {},
    call = "localSession",
  ) {
    const { seed = 0, guard, kernels } = options;
    if (guard !== undefined && typeof guard?.enter !== "function")
      badValue(`${call}: guard`, "a guard", guard, "guard()");
    const { players, packing, rate } = simulation;
    const state = onBehalfOf(call, ["Layout.allocate"], () =>
      simulation.layout.allocate(snapshots, { kernels }),
    );
    onBehalfOf(call, ["Random.seed"], () => state.random.seed(seed));
    const columns = columnsOf(state.beside);
    this.#simulation = simulation;
    this.state = state;
    this.world = state.world;
    this.words = new Uint32Array(players * packing.words);
    this.commands = NO_COMMANDS;
    this.#guard = guard;
    this.#stepWorld = guard ? state.guardedWorld(numbersIn(state.layout) <= MAX_CHECKED) : state.world;
    this.#absentSeats = new AbsentSeats(
      simulation.options.absent as Absent<Fields, InputFields> | undefined,
      packing,
      this.words,
      players,
      this.#stepWorld,
      state.random,
    );
    this.absent = this.#absentSeats.seats;
    this.#inputs = Object.freeze(allInputsOf(packing, players, this.words, columns, this.absent));
    this.#memory = new InputMemory(packing, players, this.words, columns);
    this.#external = createExternal(simulation.options.external ?? {});
    this.#context = {
      tick: 0,
      dt: rate[1] / rate[0],
      time: 0,
      random: state.random,
      emit: (name, values) => this.#emit(name, values),
      external: Object.fromEntries(this.#external),
      commands: simulation.commands.decodeAll(NO_COMMANDS),
    };
    const { beats } = simulation.options;
    this.#beats = beats && new BeatRunner(beats as never, rate, this.#context);
    this.#enter("init");
    try {
      const { external } = this.#context;
      const returned: unknown = simulation.options.init?.(this.#stepWorld, {
        random: state.random,
        players,
        external,
      });
      requireSynchronous(
        "Simulation: init",
        returned,
        "Remove async, and await what it needs before you create the session",
      );
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

  /**
   * Takes one step with `words`, `commands` and `absent`. Afterwards `words` holds the inputs that the step has seen, those of
   * absent seats included. Passes effects to `deliver`; without it, they are discarded.
   */
  step(deliver: (effect: AnyEffect) => void = ignore): void {
    const { state } = this;
    const context = this.#context;
    const { rate, options } = this.#simulation;
    const tick = state.tick;
    context.tick = tick;
    context.time = (tick * rate[1]) / rate[0];
    context.commands = this.#simulation.commands.decodeAll(this.commands);
    this.#deliver = deliver;
    this.#enter("step");
    try {
      this.#absentSeats.write(tick);
      this.#memory.enter();
      this.#beats?.run(tick, this.#stepWorld, this.#checkReturned);
      const returned: unknown = options.step(this.#stepWorld, this.#inputs as never, context);
      if (returned !== undefined) this.#checkReturned("step", returned);
      this.#memory.leave();
      if (this.#guard) this.#requireFinite(`the step of tick ${tick}`);
    } finally {
      this.#leave();
      this.#deliver = ignore;
    }
    state.tick = tick + 1;
  }

  #requireFinite(writer: string): void {
    const [found] = this.state.nonFinite(1);
    if (found) misuse("not-finite", "Simulation", problemOfNonFinite(found, writer), fixForNonFinite(found));
  }

  /** Throws if a step or a beat returned a promise. */
  readonly #checkReturned = (callback: string, returned: unknown): void => {
    if (isPromise(returned)) this.stray = returned;
    const fix = "Remove async: nothing may happen between two steps";
    requireSynchronous(`Simulation: ${callback}`, returned, fix);
  };

  #enter(call: string): void {
    this.requireIdle("Simulation");
    this.#isBusy = true;
    if (this.#guard) this.#guard.enter(call);
  }

  #leave(): void {
    this.#isBusy = false;
    if (this.#guard) this.#guard.leave();
  }

  /** Throws if `init` or a step is running, as it must not step, save or load its own simulation. */
  requireIdle(call: string): void {
    if (this.#isBusy)
      misuse(
        "reentrant",
        call,
        "cannot be used inside `step` or `init`",
        "Emit an effect, and act in its listener",
      );
  }

  #emit(name: string, values?: object): void {
    this.#deliver(this.#simulation.effects.make(name, values as Record<string, unknown>, this.#context.tick));
  }

  save(snapshot: number): void {
    this.state.save(snapshot);
    if (this.#external.length > 0) this.#externalBytes[snapshot] = this.saveExternal();
  }

  load(snapshot: number): void {
    this.state.load(snapshot);
    if (this.#external.length > 0) this.loadExternal(this.#externalBytes[snapshot]!);
  }

  /** Hashes the state and the external states. */
  hash(out: [number, number] = [0, 0]): Hash {
    this.state.hash(LIVE, out);
    for (const [name, external] of this.#external) {
      const [a, b] = hashOf(name, external);
      out[0] = Math.imul(out[0] ^ a, 0x7feb352d) >>> 0;
      out[1] = Math.imul(out[1] ^ b, 0x846ca68b) >>> 0;
    }
    return out;
  }

  /** Returns the hash of each external state, with its name. */
  externalHashes(): readonly (readonly [string, Hash])[] {
    return this.#external.map(([name, external]) => [name, hashOf(name, external)]);
  }

  /** Returns the bytes of each external state, in order of declaration. */
  saveExternal(): Uint8Array[] {
    return this.#external.map(([name, external]) => savedBytes(name, external));
  }

  loadExternal(bytes: readonly Uint8Array[]): void {
    this.#external.forEach(([, external], i) => external.load(bytes[i]!));
  }

  /** The name of an external state that cannot be rebuilt from the world; undefined if there is none. */
  get notRebuildable(): string | undefined {
    return this.#external.find(([, external]) => typeof external.rebuild !== "function")?.[0];
  }

  /** Rebuilds the external states from the world, which was loaded without them. */
  rebuildExternal(): void {
    for (const [, external] of this.#external) external.rebuild!();
  }

  /** Whether the simulation has external state, which only its own snapshots can restore. */
  get hasExternal(): boolean {
    return this.#external.length > 0;
  }

  dispose(): void {
    for (const [, external] of this.#external) external.dispose?.();
    this.#external.length = 0;
  }
}

/** A guard does not check the columns of larger states, as each checked access takes a quarter of a microsecond. */
const MAX_CHECKED = 2000;

/** Counts the numbers in the columns of a layout. */
const numbersIn = ({ leaves }: Layout): number =>
  leaves.reduce((sum, { hidden, rows, stride }) => (hidden ? sum : sum + rows * stride), 0);

/** Saves an external state. Throws unless the result is a Uint8Array, as anything else would be stored wrongly. */
function savedBytes(name: string, external: ExternalState): Uint8Array {
  const bytes: unknown = external.save();
  if (bytes instanceof Uint8Array) return bytes;
  requireSynchronous(`Simulation: external.${name}.save`, bytes, "Return the bytes, not a promise");
  // Of another realm.
  if (typeTag(bytes) === "Uint8Array") return bytes as Uint8Array;
  return badValue(
    `Simulation: the result of external.${name}.save`,
    "a Uint8Array",
    bytes,
    ArrayBuffer.isView(bytes) ? "new Uint8Array(array.slice().buffer)" : "new Uint8Array(bytes)",
  );
}

/** Hashes an external state. Throws unless the result is two 32-bit integers. */
function hashOf(name: string, external: ExternalState): Hash {
  const hash = external.hash();
  if (isWord(hash?.[0]) && isWord(hash[1]) && hash.length === 2) return hash;
  requireSynchronous(`Simulation: external.${name}.hash`, hash, "Return the hash, not a promise");
  return badValue(
    `Simulation: the result of external.${name}.hash`,
    "two 32-bit integers",
    hash,
    "[a >>> 0, b >>> 0]",
  );
}

/** Signed ones too: bitwise operators return them, and no bit is lost. */
const isWord = (value: unknown): boolean =>
  (value as number) >>> 0 === value || ((value as number) | 0) === value;

/** Creates the external states. If one cannot be created, disposes of those before it. */
function createExternal(makers: ExternalMakers<ExternalStates>): [string, ExternalState][] {
  const created: [string, ExternalState][] = [];
  try {
    for (const [name, make] of Object.entries(makers)) {
      const external = make();
      for (const method of ["save", "load", "hash"] as const)
        if (typeof external?.[method] !== "function")
          badValue(
            `simulation: the result of external.${name}`,
            "an object with save, load and hash",
            external,
            "() => ({ save, load, hash })",
          );
      created.push([name, external]);
    }
  } catch (error) {
    for (const [, external] of created) external.dispose?.();
    throw error;
  }
  return created;
}
