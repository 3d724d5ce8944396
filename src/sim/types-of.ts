// The types that a declared simulation implies, for functions that draw, control or test it.
import type { InputFields, InputValues } from "../input/index.js";
import type { Fields, ReadonlyWorld, World } from "../state/index.js";
import type { Command, CommandFields } from "./commands.js";
import type { Effect, EffectFields } from "./effects.js";
import type { ExternalStates } from "./external.js";
import type { LocalSession } from "./local-session.js";
import type { PlayerTuple } from "./player-tuple.js";
import type { Simulation } from "./simulation.js";

/* oxlint-disable typescript/no-explicit-any -- They must fit every simulation. */
/** The world that a step writes: `WorldOf<typeof game>`. */
export type WorldOf<T> = T extends Simulation<infer S, any, any, any, any, any> ? World<S> : never;

/** The world that `render` draws: `ViewOf<typeof game>`. Read-only. */
export type ViewOf<T> = T extends Simulation<infer S, any, any, any, any, any> ? ReadonlyWorld<S> : never;

/** The inputs that a session's `inputs` function writes, one object per player: `InputsOf<typeof game>`. */
export type InputsOf<T> =
  T extends Simulation<any, infer I, any, any, infer P, any> ? PlayerTuple<InputValues<I>, P> : never;

/** The effects that a step emits: `EffectOf<typeof game>`. */
export type EffectOf<T> =
  T extends Simulation<any, any, infer E, any, any, any>
    ? E extends EffectFields
      ? Effect<E>
      : never
    : never;

/** The commands that a step executes: `CommandOf<typeof game>`. */
export type CommandOf<T> =
  T extends Simulation<any, any, any, any, any, infer C>
    ? C extends CommandFields
      ? Command<C>
      : never
    : never;

/** The session that `localSession` and `play` create: `SessionOf<typeof game>`. */
export type SessionOf<T> =
  T extends Simulation<
    infer S extends Fields,
    infer I extends InputFields,
    infer E extends EffectFields,
    infer X extends ExternalStates,
    infer P extends number,
    infer C extends CommandFields
  >
    ? LocalSession<S, I, E, X, P, C>
    : never;
/* oxlint-enable typescript/no-explicit-any */
