import { PROFILE, type Random } from "../math/index.js";
import { Layout, type Fields, type World } from "../state/index.js";
import {
  badValue,
  requireFunction,
  requireKnownOptions,
  requireType,
  requireWhole,
} from "../errors/index.js";
import { exactRate, type ExactRate, type Rate } from "../time/index.js";
import { EffectSpec, type EffectFields, type Emit } from "./effects.js";
import type { InputFields } from "../input/index.js";
import { Packing } from "../input/packing.js";
import { rememberedFields } from "./input-memory.js";
import type { Inputs } from "./inputs.js";
import type { ExternalOf, ExternalStates } from "./external.js";

/** What a step is told beside the world and the inputs. One object for the life of a session: copy what you keep. */
export interface StepContext<
  E extends EffectFields = EffectFields,
  O extends ExternalStates = ExternalStates,
> {
  /** This step's number: it takes state `tick` to state `tick + 1`. */
  readonly tick: number;
  /** Seconds to simulate: `1 / rate`. */
  readonly dt: number;
  /** Simulated seconds before this step: `tick / rate`, computed and never summed. */
  readonly time: number;
  /** Chance that is a part of the state. */
  readonly random: Random;
  /** Tells of something to be heard or seen: `emit("thud", { x, y, force })`. */
  readonly emit: Emit<E>;
  /** What lives outside the buffer, by name. */
  readonly external: ExternalOf<O>;
}

/** What `init` is told. */
export interface InitContext<O extends ExternalStates = ExternalStates> {
  readonly random: Random;
  readonly players: number;
  readonly external: ExternalOf<O>;
}

/** As many as a number says, where it is a small one that the compiler knows. */
type Tuple<T, N extends number, R extends readonly T[] = readonly []> = number extends N
  ? readonly T[]
  : R["length"] extends N
    ? R
    : R["length"] extends 16
      ? readonly T[]
      : Tuple<T, N, readonly [...R, T]>;

/** What `simulation` declares. */
export interface SimulationOptions<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  O extends ExternalStates,
  P extends number,
> {
  /** What replays and peers know it by. */
  readonly name: string;
  /** One more whenever a step comes to do something else: what was recorded before is then refused, and not misread. */
  readonly version: number;
  /** Steps a second: hertz, or an exact fraction such as `[60000, 1001]`. */
  readonly rate: Rate;
  /** Default 1. */
  readonly players?: P;
  readonly state: Layout<S>;
  /** What each player can do. */
  readonly input?: I;
  /** What can be heard or seen, and leaves no trace in the state. */
  readonly effects?: E;
  /** What cannot lie in the buffer: how each is made. */
  readonly external?: O;
  /** Makes state 0. All numbers are 0 before. */
  init?(world: World<S>, context: InitContext<O>): void;
  /** Takes a state to the next one, by nothing but the state, the inputs and the context. */
  step(world: World<S>, inputs: Tuple<Inputs<I>, P>, context: StepContext<E, O>): void;
}

const MOST_PLAYERS = 64;

const OPTIONS = Object.keys({
  name: 1,
  version: 1,
  rate: 1,
  players: 1,
  state: 1,
  input: 1,
  effects: 1,
  external: 1,
  init: 1,
  step: 1,
} satisfies Record<keyof SimulationOptions<Fields, InputFields, EffectFields, ExternalStates, number>, 1>);

declare const TYPES: unique symbol;

/** A declared simulation. It holds no state: sessions do. */
export class Simulation<
  S extends Fields = Fields,
  I extends InputFields = InputFields,
  E extends EffectFields = EffectFields,
  O extends ExternalStates = ExternalStates,
  P extends number = number,
> {
  readonly name: string;
  readonly version: number;
  readonly rate: ExactRate;
  readonly players: number;
  /** How inputs lie in words. */
  readonly packing: Packing<I>;
  /** Of name, version, rate, players, state, inputs and mathematics: who shares it can share snapshots and replays. */
  readonly fingerprint: string;
  /** @internal */ readonly options: SimulationOptions<S, I, E, O, P>;
  /** @internal */ readonly effects: EffectSpec;
  /** @internal */ readonly layout: Layout<S>;
  /** Only for the compiler, which tells simulations of different types apart by it. */
  declare protected readonly [TYPES]: SimulationOptions<S, I, E, O, P>;

  constructor(options: SimulationOptions<S, I, E, O, P>) {
    requireType("simulation: options", options, "object", "{ name, version, rate, state, step }");
    requireKnownOptions("simulation", options, OPTIONS);
    const { name, version, players = 1, state, input, effects, init, step, external } = options;
    if (typeof name !== "string" || name === "" || name.length > 200)
      badValue("simulation: name", "a text of 1 to 200 characters", name, '"crates"');
    requireWhole("simulation: version", version, 0, 1);
    requireWhole("simulation: players", players, 1, 2);
    if (players > MOST_PLAYERS) badValue("simulation: players", `at most ${MOST_PLAYERS}`, players, 2);
    if (!(state instanceof Layout))
      badValue("simulation: state", "a layout", state, "layout({ score: u32 })");
    requireFunction("simulation: step", step, "step(world, inputs, { dt }) {}");
    if (init !== undefined) requireFunction("simulation: init", init, "init(world) {}");
    for (const [key, make] of Object.entries(external ?? {}))
      requireFunction(`simulation: external.${key}`, make, "rapier(RAPIER, () => new RAPIER.World(gravity))");
    this.options = options;
    this.name = name;
    this.version = version;
    this.rate = exactRate("simulation: rate", options.rate);
    this.players = players;
    this.packing = new Packing((input ?? {}) as I);
    this.effects = new EffectSpec(effects ?? {});
    const title = [name, version, this.rate, players, this.packing.title, PROFILE].join("\n");
    this.layout = new Layout(state.fields, rememberedFields(this.packing, players), title);
    this.fingerprint = this.layout.fingerprint;
  }
}

/** What a call that runs a simulation looks at first. It may be of another copy of this package, as in a bundle. */
export function requireSimulation(call: string, simulation: Partial<AnySimulation> | undefined): void {
  if (typeof simulation?.fingerprint !== "string" || typeof simulation.options?.step !== "function")
    badValue(
      `${call}: simulation`,
      "a simulation",
      simulation,
      "simulation({ name, version, rate, state, step })",
    );
}

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all simulations fit. */
/** A simulation, where its effects and what lives outside do not matter. */
export type AnySimulation<S extends Fields = any, I extends InputFields = any> = Simulation<
  S,
  I,
  any,
  any,
  any
>;
/* oxlint-enable typescript/no-explicit-any */

/** Declares a simulation: its state, its inputs and its step. Sessions run it. */
export function simulation<
  S extends Fields,
  const I extends InputFields = {},
  const E extends EffectFields = {},
  O extends ExternalStates = {},
  const P extends number = 1,
>(options: SimulationOptions<S, I, E, O, P>): Simulation<S, I, E, O, P> {
  return new Simulation(options);
}
