import { badValue, isPromise, requireFunction, requireKnownOptions, requireType } from "../errors/index.js";
import type { Random } from "../math/index.js";
import type { Fields, World } from "../state/index.js";
import { BeatPhase, exactRate, nextBeat, type ExactRate, type Rate, type StepTimes } from "../loop/index.js";
import type { EffectFields, Emit } from "./effects.js";
import type { ExternalStates } from "./external.js";

/** The second argument of a beat's `run`. It is one object that is reused: copy what you keep. */
export interface BeatContext<
  E extends EffectFields = EffectFields,
  X extends ExternalStates = ExternalStates,
> {
  /** The number of this beat. */
  readonly beat: number;
  /** The number of the step before which it runs. */
  readonly tick: number;
  /** The simulated time from one beat to the next, in seconds. */
  readonly dt: number;
  /** The exact time of this beat in seconds: `beat / rate`, computed and never summed. */
  readonly time: number;
  /** The random generator, which is part of the state. */
  readonly random: Random;
  /** Emits an effect of the step. */
  readonly emit: Emit<E>;
  /** The external states, by name. */
  readonly external: X;
}

/** A part of a simulation that runs at a rate of its own. */
export interface SimulationBeat<S extends Fields, E extends EffectFields, X extends ExternalStates> {
  /** Beats per second: hertz, or an exact fraction such as `[1, 3]`. */
  readonly rate: Rate;
  /**
   * Changes the state, just before the `step` of the same tick. Like a step, it must depend on nothing but the state and the
   * context. It receives neither inputs nor commands, as it would miss those of the steps in between: let the step store what
   * it needs in the state.
   */
  run(world: World<S>, context: BeatContext<E, X>): void;
}

/** The beats of a simulation, by name. */
export interface SimulationBeats<S extends Fields, E extends EffectFields, X extends ExternalStates> {
  readonly [name: string]: SimulationBeat<S, E, X>;
}

type AnyBeats = SimulationBeats<Fields, EffectFields, ExternalStates>;

const OPTIONS = Object.keys({ rate: 1, run: 1 } satisfies Record<keyof AnyBeats[string], 1>);

/**
 * Checks the beats of a simulation and returns them as text, in which names, rates and their order count; "" if there are
 * none.
 */
export function beatsTitle(beats: AnyBeats | undefined): string {
  if (beats === undefined) return "";
  const fix = "{ think: { rate: 4, run(world) {} } }";
  requireType("simulation: beats", beats, "object", fix);
  // Entries of a map are no properties, so its beats would never run. Those of an array have no names.
  if (Symbol.iterator in beats || isPromise(beats))
    badValue("simulation: beats", "an object with a name for each beat", beats, fix);
  const list = Object.entries(beats).map(([name, beat]) => {
    requireType(`simulation: beats.${name}`, beat, "object", "{ rate: 4, run(world) {} }");
    requireKnownOptions("simulation", beat, OPTIONS, `beats.${name}`);
    requireFunction(`simulation: beats.${name}.run`, beat.run, "run(world) {}");
    return [name, exactRate(`simulation: beats.${name}.rate`, beat.rate, "4 or [1, 3]").join("/")];
  });
  return list.length > 0 ? JSON.stringify(list) : "";
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface DeclaredBeat {
  readonly name: string;
  readonly rate: ExactRate;
  readonly phase: BeatPhase;
  readonly context: Mutable<BeatContext>;
}

/** Runs the beats of one copy of a simulation. Which beats are due depends on nothing but the tick. */
export class BeatRunner {
  readonly #beats: readonly DeclaredBeat[];
  readonly #declared: AnyBeats;
  readonly #times: StepTimes;
  /** The tick for which the phases are set; NaN for none. */
  #tick = NaN;

  constructor(
    declared: AnyBeats,
    rate: ExactRate,
    context: Pick<BeatContext, "random" | "emit" | "external">,
  ) {
    const { random, emit, external } = context;
    this.#declared = declared;
    this.#times = { rate };
    this.#beats = Object.entries(declared).map(([name, beat]) => {
      const rate = exactRate(`simulation: beats.${name}.rate`, beat.rate);
      const phase = new BeatPhase(rate);
      const dt = rate[1] / rate[0];
      return { name, rate, phase, context: { beat: 0, tick: 0, dt, time: 0.5, random, emit, external } };
    });
  }

  /** Runs the beats that are due before the step of a tick. `check` gets what each of them returned. */
  run(tick: number, world: World<Fields>, check: (subject: string, returned: unknown) => void): void {
    const beats = this.#beats;
    // After a load, and after a beat or a step that threw.
    if (tick !== this.#tick) for (const { phase } of beats) phase.join(this.#times, tick - 1);
    this.#tick = NaN;
    for (let beat = nextBeat(beats, tick); beat; beat = nextBeat(beats, tick)) {
      const { name, rate, phase, context } = beat;
      context.beat = phase.tick;
      context.tick = tick;
      context.time = (phase.tick * rate[1]) / rate[0];
      const returned: unknown = this.#declared[name]!.run(world, context);
      if (returned !== undefined) check(`beats.${name}.run`, returned);
      phase.next();
    }
    this.#tick = tick + 1;
  }
}
