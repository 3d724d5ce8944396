import {
  badValue,
  requireFunction,
  requireKnownOptions,
  requireType,
  requireWhole,
} from "../errors/index.js";
import type { InputFields } from "../input/index.js";
import { Packing } from "../input/packing.js";
import { PROFILE, type Random } from "../math/index.js";
import { Layout, type Fields, type World } from "../state/index.js";
import { exactRate, type ExactRate, type Rate } from "../loop/index.js";
import { requireAbsent, type Absent } from "./absent.js";
import { beatsTitle, type SimulationBeats } from "./beats.js";
import { CommandSpec, type Command, type CommandFields } from "./commands.js";
import { EffectSpec, type EffectFields, type Emit } from "./effects.js";
import type { ExternalMakers, ExternalStates } from "./external.js";
import { rememberedFields } from "./input-memory.js";
import type { Inputs } from "./inputs.js";
import type { PlayerTuple } from "./player-tuple.js";

/** The third argument of `step`. It is one object that is reused: copy what you keep. */
export interface StepContext<
  E extends EffectFields = EffectFields,
  X extends ExternalStates = ExternalStates,
  C extends CommandFields = CommandFields,
> {
  /** The number of this step, which takes state `tick` to state `tick + 1`. */
  readonly tick: number;
  /** The simulated time of a step in seconds: `1 / rate`. */
  readonly dt: number;
  /** The simulated time before this step in seconds: `tick / rate`, computed and never summed. */
  readonly time: number;
  /** The random generator, which is part of the state. */
  readonly random: Random;
  /** Emits an effect: `emit("thud", { x, y, force })`. */
  readonly emit: Emit<E>;
  /** The external states, by name. */
  readonly external: X;
  /** The commands of this step: in order of the players, then of issue. */
  readonly commands: readonly Command<C>[];
}

/** The second argument of `init`. */
export interface InitContext<X extends ExternalStates = ExternalStates> {
  readonly random: Random;
  readonly players: number;
  readonly external: X;
}

/** What `simulation` declares. */
export interface SimulationOptions<
  S extends Fields,
  I extends InputFields,
  E extends EffectFields,
  X extends ExternalStates,
  P extends number,
  C extends CommandFields = {},
> {
  /** Identifies the simulation in replays and between peers. */
  readonly name: string;
  /** Increase it whenever a step behaves differently. Older recordings are then rejected instead of diverging. */
  readonly version: number;
  /** Steps per second: hertz, or an exact fraction such as `[60000, 1001]`. */
  readonly rate: Rate;
  /** The number of players, up to 4,096. Default 1. */
  readonly players?: P;
  readonly state: Layout<S>;
  /** The inputs of each player. */
  readonly input?: I;
  /** Messages of players that a step executes: build orders, votes, chat. Unlike inputs, most ticks have none, and their size varies. */
  readonly commands?: C;
  /** Sounds, particles and the like, which leave no trace in the state. */
  readonly effects?: E;
  /** State that cannot lie in the buffer, such as a physics engine: a function for each that creates it. */
  readonly external?: ExternalMakers<X>;
  /**
   * The inputs of an absent seat, whose player has left: fixed values, or a bot that writes them before each step. Default: all
   * inputs at rest. It is part of the step's behaviour: increase `version` when it changes.
   */
  readonly absent?: Absent<S, NoInfer<I>> | undefined;
  /**
   * What runs at a rate of its own, such as AI at 4 Hz: `beats: { think: { rate: 4, run(world) {} } }`. Beat k of rate b runs
   * just before the first step n with n / rate ≥ k / b. That depends on nothing but the tick, so rewinds, replays and
   * rollbacks repeat it.
   */
  readonly beats?: SimulationBeats<S, NoInfer<E>, NoInfer<X>> | undefined;
  /** Writes state 0. All numbers are 0 before. */
  init?(world: World<S>, context: InitContext<X>): void;
  /** Advances the state by one tick. It must depend on nothing but the state, the inputs and the context. */
  step(world: World<S>, inputs: PlayerTuple<Inputs<I>, P>, context: StepContext<E, X, C>): void;
}

/** Most players of a simulation, also in replays. */
export const MAX_PLAYERS = 4096;

const OPTIONS = Object.keys({
  name: 1,
  version: 1,
  rate: 1,
  players: 1,
  state: 1,
  input: 1,
  commands: 1,
  effects: 1,
  external: 1,
  absent: 1,
  beats: 1,
  init: 1,
  step: 1,
} satisfies Record<keyof SimulationOptions<Fields, InputFields, EffectFields, ExternalStates, number>, 1>);

declare const TYPES: unique symbol;

/* oxlint-disable typescript/no-explicit-any -- There is no other type that all simulations fit. */
/** A declared simulation. It holds no state: sessions run it. `Simulation` alone is the type of any simulation. */
export class Simulation<
  S extends Fields = any,
  I extends InputFields = any,
  E extends EffectFields = any,
  X extends ExternalStates = any,
  P extends number = any,
  C extends CommandFields = any,
> {
  /* oxlint-enable typescript/no-explicit-any */
  readonly name: string;
  readonly version: number;
  readonly rate: ExactRate;
  readonly players: number;
  /** How the inputs of a player are packed into 32-bit words. */
  readonly packing: Packing<I>;
  /** Identifies name, version, rate, players, state, inputs, commands, beats and math profile. Builds with the same one can share snapshots and replays. */
  readonly fingerprint: string;
  /** @internal */ readonly options: SimulationOptions<S, I, E, X, P, C>;
  /** @internal */ readonly commands: CommandSpec;
  /** @internal The names and rates of its beats as text; "" if it has none. */ readonly beats: string;
  /** @internal */ readonly effects: EffectSpec;
  /** @internal */ readonly layout: Layout<S>;
  /** Never set. It tells the compiler which types a simulation has. */
  declare protected readonly [TYPES]: SimulationOptions<S, I, E, X, P, C>;

  /** @internal Use `simulation`. */
  constructor(options: SimulationOptions<S, I, E, X, P, C>) {
    requireType("simulation: options", options, "object", "{ name, version, rate, state, step }");
    requireKnownOptions("simulation", options, OPTIONS);
    const { name, version, players = 1, state, input, commands, effects, init, step, external } = options;
    if (typeof name !== "string" || name === "" || name.length > 200)
      badValue("simulation: name", "a text of 1 to 200 characters", name, '"crates"');
    requireWhole("simulation: version", version, 0, 1);
    requireWhole("simulation: players", players, 1, 2);
    if (players > MAX_PLAYERS) badValue("simulation: players", `at most ${MAX_PLAYERS}`, players, 2);
    if (!(state instanceof Layout))
      badValue("simulation: state", "a layout", state, "layout({ score: u32 })");
    requireFunction("simulation: step", step, "step(world, inputs, { dt }) {}");
    if (init !== undefined) requireFunction("simulation: init", init, "init(world) {}");
    if (commands !== undefined)
      requireType("simulation: commands", commands, "object", "{ build: { x: u16 } }");
    if (effects !== undefined) requireType("simulation: effects", effects, "object", "{ thud: { x: f64 } }");
    if (external !== undefined)
      requireType("simulation: external", external, "object", "{ physics: rapier(RAPIER, createWorld) }");
    for (const [key, make] of Object.entries(external ?? {}))
      requireFunction(`simulation: external.${key}`, make, "rapier(RAPIER, () => new RAPIER.World(gravity))");
    this.options = options;
    this.name = name;
    this.version = version;
    this.rate = exactRate("simulation: rate", options.rate);
    this.players = players;
    this.packing = new Packing((input ?? {}) as I);
    this.commands = new CommandSpec(commands ?? {});
    this.effects = new EffectSpec(effects ?? {});
    requireAbsent(options.absent, this.packing);
    this.beats = beatsTitle(options.beats as Parameters<typeof beatsTitle>[0]);
    const title = titleText(
      name,
      version,
      this.rate,
      players,
      this.packing.title,
      PROFILE,
      this.commands.title,
      this.beats,
    );
    this.layout = new Layout(state.fields, rememberedFields(this.packing, players), title);
    this.fingerprint = this.layout.fingerprint;
  }
}

/** Returns the text that a fingerprint starts from. Without commands and beats, it is the same as before there were any. */
export function titleText(
  name: unknown,
  version: unknown,
  rate: readonly unknown[],
  players: unknown,
  inputs: unknown,
  profile: unknown,
  commands: string,
  beats: string,
): string {
  const lines = [name, version, rate, players, inputs, profile];
  if (commands !== "") lines.push(commands);
  // With a word before them, as commands may be left out.
  if (beats !== "") lines.push(`beats ${beats}`);
  return lines.join("\n");
}

/** Throws unless the value is a simulation. It may come from another copy of this package, as in a bundle. */
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
/** A simulation whose effects and external states do not matter. */
export type AnySimulation<
  S extends Fields = any,
  I extends InputFields = any,
  P extends number = any,
  C extends CommandFields = any,
> = Simulation<S, I, any, any, P, C>;
/* oxlint-enable typescript/no-explicit-any */

/** Declares a simulation: its state, its inputs and its step. Sessions run it. */
export function simulation<
  S extends Fields,
  const I extends InputFields = {},
  const E extends EffectFields = {},
  X extends ExternalStates = {},
  const P extends number = 1,
  const C extends CommandFields = {},
>(options: SimulationOptions<S, I, E, X, P, C>): Simulation<S, I, E, X, P, C> {
  return new Simulation(options);
}
