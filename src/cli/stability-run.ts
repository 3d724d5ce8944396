// In a worker: runs a simulation at another rate than it declares.
import { random } from "../math/index.js";
import type { Simulation, StepContext } from "../sim/index.js";
import { randomCommands } from "../sim/random-commands.js";
import { Run } from "../sim/run.js";
import type { Rate } from "../loop/index.js";
import type { Extremes, Measure } from "./stability-measure.js";

export interface RunPlan {
  readonly seconds: number;
  readonly seed: number | string | undefined;
  /** Whether players do nothing. */
  readonly isIdle: boolean;
  readonly measure: Measure;
}

export interface RateRun {
  readonly extremes: readonly Extremes[];
  /** The index of the first number out of bounds; undefined if all stayed within them. */
  readonly outside: number | undefined;
  /** Simulated seconds until then, or until the end. */
  readonly seconds: number;
  /** The first NaN or infinity in the state. */
  readonly notFinite: { readonly path: string; readonly value: number } | undefined;
  /** Whether a step has read `dt` or `time`, or the simulation has beats. */
  readonly readsTime: boolean;
  /** The length of a step of each external state that has a `world.timestep`, as Rapier's, by name. */
  readonly timesteps: ReadonlyMap<string, number>;
}

/** Returns the same simulation with another rate, rebuilt by its own copy of the library. */
function atRate(simulation: Simulation, rate: Rate): Simulation {
  const options: Record<string, unknown> = {};
  // Inherited ones too: `watched` has only step and init of its own.
  for (const name in simulation.options)
    options[name] = (simulation.options as unknown as Record<string, unknown>)[name];
  const Rebuilt = simulation.constructor as new (options: unknown) => Simulation;
  return new Rebuilt({ ...options, rate });
}

/** Changes of the inputs per simulated second, and the chance of each input to change. The same at every rate. */
const CHANGES = 8;
const CHANCE = 0.25;

/** Runs a simulation at a rate, until a number is out of bounds. */
export function runAtRate(
  simulation: Simulation,
  rate: Rate,
  { seconds, seed, isIdle, measure }: RunPlan,
  isOutside: (extremes: Extremes, index: number) => boolean,
): RateRun {
  const extremes = measure.names.map((name) => ({ name, min: Infinity, max: -Infinity }));
  const timesteps = new Map<string, number>();
  let context: StepContext | undefined;
  const rebuilt = atRate(simulation, rate);
  // A simulation with beats need not read dt: its beats already follow time.
  let readsTime = (rebuilt.options as { beats?: unknown }).beats !== undefined;
  const { step } = rebuilt.options;
  const spy: ProxyHandler<StepContext> = {
    get(target, key) {
      readsTime ||= key === "dt" || key === "time";
      return Reflect.get(target, key) as unknown;
    },
  };
  const watching = Object.create(rebuilt, {
    options: {
      value: Object.assign(Object.create(rebuilt.options) as typeof rebuilt.options, {
        step(world: never, inputs: never, given: StepContext) {
          context = given;
          return step(world, inputs, readsTime ? given : new Proxy(given, spy));
        },
      }),
    },
  }) as Simulation;
  const run = new Run(watching, 0, { seed }, "stability");
  try {
    const { packing, players, commands } = rebuilt;
    const dice = random(new Uint32Array(4)).seed("stability");
    const hertz = rebuilt.rate[0] / rebuilt.rate[1];
    const ticks = Math.ceil(seconds * hertz);
    let changes = 0;
    for (let tick = 0; ; tick++) {
      run.commands = [];
      for (; !isIdle && changes * hertz <= tick * CHANGES; changes++) {
        for (let at = 0; at < run.words.length; at += packing.words)
          for (const { word, mask } of packing.slots)
            if (dice.chance(CHANCE))
              run.words[at + word] = (run.words[at + word]! & ~mask) | (dice.u32() & mask);
        run.commands = randomCommands(commands, players, dice);
      }
      run.step();
      measure.add(run.state, context!, extremes);
      const outside = extremes.findIndex(isOutside);
      const [notFinite] = run.state.nonFinite(1);
      if (outside < 0 && !notFinite && tick < ticks - 1) continue;
      for (const [name, external] of Object.entries(context!.external)) {
        const timestep = (external as { world?: { timestep?: unknown } }).world?.timestep;
        if (typeof timestep === "number") timesteps.set(name, timestep);
      }
      return {
        extremes,
        outside: outside < 0 ? undefined : outside,
        seconds: (tick + 1) / hertz,
        notFinite,
        readsTime,
        timesteps,
      };
    }
  } finally {
    run.dispose();
  }
}
