// In a worker: runs a simulation at a ladder of rates, and finds those at which it goes out of bounds.
import type { Simulation } from "../sim/index.js";
import type { Layout } from "../state/index.js";
import { exactRate, type ExactRate } from "../loop/index.js";
import { CliError } from "./cli-error.js";
import { exportsBeside } from "./load.js";
import {
  energyMeasure,
  fieldMeasure,
  type Energy,
  type Extremes,
  type Measure,
} from "./stability-measure.js";
import { runAtRate, type RateRun } from "./stability-run.js";
import { StepFailed } from "./watch.js";

export interface StabilityTask {
  readonly kind: "stability";
  /** Steps per second to try. Without them, from a quarter to four times the declared rate. */
  readonly rates: readonly number[];
  readonly seconds: number;
  readonly seed: number | string | undefined;
  readonly isIdle: boolean;
  /** The field to measure. Without it, the export `energy`, or all fields. */
  readonly field: string | undefined;
  /** The name of the exported function, if it was given. */
  readonly energy: string | undefined;
  readonly min: number | undefined;
  readonly max: number | undefined;
  /** How many times the largest value at the highest rate is within bounds. */
  readonly factor: number;
}

/** What happened at a rate. */
export interface Rung {
  /** Steps per second. */
  readonly rate: number;
  readonly isStable: boolean;
  /** The number that went out of bounds; else the one that came closest. */
  readonly name: string;
  readonly value: number;
  /** Simulated seconds until it went out of bounds. */
  readonly seconds?: number;
  /** What a step threw, instead of a value. */
  readonly thrown?: string;
}

export interface StabilityFindings {
  readonly declared: number;
  /** What was measured: "energy", the name of a field, or "any field". */
  readonly measured: string;
  /** From the highest rate to the lowest. */
  readonly rungs: readonly Rung[];
  /** The lowest whole rate from which on all tried rates are in bounds; undefined if even the highest is not. */
  readonly stableFrom: number | undefined;
  /** The highest rate that is out of bounds. */
  readonly unstable: Rung | undefined;
}

const LADDER = [4, 2, 1, 1 / 2, 1 / 3, 1 / 4];

/** Runs the ladder, then narrows down the limit to a whole number of steps per second. */
export function findStability(task: StabilityTask, simulation: Simulation): StabilityFindings {
  const measure = measureOf(task, simulation);
  const plan = { ...task, measure };
  const rates = ladderOf(task.rates, simulation.rate);
  const declared = hertz(simulation.rate);
  const bounds = new Bounds(task);
  const runs = new Map<number, RateRun>();
  const climb = (rate: ExactRate): Rung => {
    let run: RateRun;
    try {
      run = runAtRate(simulation, rate, plan, (extremes, i) => bounds.isOutside(extremes, i));
    } catch (error) {
      // A simulation that explodes may throw. At the highest rate, something else is wrong.
      if (!(error instanceof StepFailed) || error.tick === undefined || runs.size === 0) throw error;
      const seconds = error.tick / hertz(rate);
      return { rate: hertz(rate), isStable: false, name: "step", value: NaN, seconds, thrown: error.message };
    }
    if (runs.size === 0) bounds.setReference(run, measure.title, hertz(rate));
    runs.set(hertz(rate), run);
    if (runs.size === 2) requireRateMatters(simulation.name, [...runs.values()]);
    return rungOf(hertz(rate), run, bounds);
  };
  const rungs = rates.map(climb);
  requireReadsTime(simulation.name, [...runs.values()]);
  const lowest = rungs.findIndex(({ isStable }) => !isStable);
  let unstable = rungs[lowest];
  let stableFrom = lowest < 0 ? rungs.at(-1)!.rate : rungs[lowest - 1]?.rate;
  while (unstable && stableFrom !== undefined) {
    const middle = Math.floor((unstable.rate + stableFrom) / 2);
    if (middle <= unstable.rate || middle >= stableFrom) break;
    const rung = climb([middle, 1]);
    if (rung.isStable) stableFrom = middle;
    else unstable = rung;
  }
  return { declared, measured: measure.title, rungs, stableFrom, unstable };
}

const hertz = ([above, below]: ExactRate): number => above / below;

/** Returns the rates from high to low, each once. The declared one is always among them. */
function ladderOf(given: readonly number[], declared: ExactRate): ExactRate[] {
  const [above, below] = declared;
  const rates =
    given.length > 0
      ? [...given.map((rate) => exactRate("--rates", rate)), declared]
      : LADDER.map((factor) =>
          exactRate(
            "--rates",
            factor >= 1 ? [above * factor, below] : [above, below * Math.round(1 / factor)],
          ),
        );
  const byRate = new Map(rates.map((rate) => [hertz(rate), rate]));
  return [...byRate].sort(([a], [b]) => b - a).map(([, rate]) => rate);
}

function measureOf({ field, energy, min, max }: StabilityTask, simulation: Simulation): Measure {
  if (field !== undefined) return fieldMeasure(simulation.layout as Layout, field);
  const name = energy ?? "energy";
  const found = exportsBeside(simulation)?.[name];
  if (typeof found === "function") return energyMeasure(name, found as Energy);
  if (energy !== undefined)
    throw new CliError(`--energy ${energy}: the module does not export such a function.`);
  if (min !== undefined || max !== undefined)
    throw new CliError("--min and --max need --field, or a module that exports a function energy(world).");
  return fieldMeasure(simulation.layout as Layout, undefined);
}

/** The bounds of each measured number. */
class Bounds {
  readonly #min: number | undefined;
  readonly #max: number | undefined;
  readonly #factor: number;
  /** The largest size of each number at the highest rate. */
  #sizes: readonly number[] = [];

  constructor({ min, max, factor }: StabilityTask) {
    this.#min = min;
    this.#max = max;
    this.#factor = factor;
  }

  get #isGiven(): boolean {
    return this.#min !== undefined || this.#max !== undefined;
  }

  setReference({ extremes }: RateRun, title: string, rate: number): void {
    this.#sizes = extremes.map(sizeOf);
    if (!this.#isGiven && this.#sizes.every((size) => size === 0))
      throw new CliError(
        `${title} stays 0 at ${rate} steps per second, so nothing says how large it may be. Give --max.`,
      );
  }

  isOutside(extremes: Extremes, index: number): boolean {
    const { min, max } = extremes;
    if (Number.isNaN(min)) return true;
    if (this.#isGiven) return min < (this.#min ?? -Infinity) || max > (this.#max ?? Infinity);
    return this.ratio(extremes, index) > this.#factor;
  }

  /** How large a number was, compared with the highest rate. Numbers that stay 0 there do not count. */
  ratio(extremes: Extremes, index: number): number {
    const size = this.#sizes[index] ?? 0;
    return size === 0 ? 0 : sizeOf(extremes) / size;
  }
}

const sizeOf = ({ min, max }: Extremes): number => Math.max(Math.abs(min), Math.abs(max));

function rungOf(rate: number, { extremes, outside, seconds, notFinite }: RateRun, bounds: Bounds): Rung {
  if (outside === undefined && notFinite)
    return { rate, isStable: false, name: notFinite.path, value: notFinite.value, seconds };
  const ratios = extremes.map((one, i) => bounds.ratio(one, i));
  const found = extremes[outside ?? ratios.indexOf(Math.max(...ratios))]!;
  const value = Math.abs(found.min) > Math.abs(found.max) ? found.min : found.max;
  return {
    rate,
    isStable: outside === undefined,
    name: found.name,
    value,
    ...(outside === undefined ? {} : { seconds }),
  };
}

/** Throws if the steps do not depend on the rate, as then the rates cannot be compared. */
function requireReadsTime(name: string, runs: readonly RateRun[]): void {
  if (runs.some(({ readsTime }) => readsTime)) return;
  throw new CliError(
    `${name} cannot run at other rates: its step reads neither dt nor time, so a step moves everything by the same amount at every rate. Multiply by dt: position += velocity * dt.`,
  );
}

/** Throws if the world of an external state takes steps of the same length at two rates. */
function requireRateMatters(name: string, [one, other]: readonly RateRun[]): void {
  for (const [external, timestep] of one!.timesteps)
    if (other!.timesteps.get(external) === timestep)
      throw new CliError(
        `${name} cannot run at other rates: external.${external} takes steps of ${Number(timestep.toPrecision(4))} s at every rate. Set its world.timestep to dt before each step.`,
      );
}
