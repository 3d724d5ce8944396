import { systemNow } from "../platform/index.js";
import {
  badValue,
  requireFunction,
  requireNumber,
  requireOptions,
  requireSynchronous,
} from "../errors/index.js";
import { exactRate, type Rate } from "./rate.js";

/** Options of `suggestRate`. */
export interface SuggestRateOptions {
  /** The rates to choose from, in any order. Default `[30, 60, 120]`. */
  readonly rates?: readonly Rate[] | undefined;
  /** The part of the time that steps may take. Default 0.5: drawing, garbage collection and the browser need the rest. */
  readonly maxLoad?: number | undefined;
  /** The current rate, or that of the last session. It is kept unless another one is clearly better. Default: none. */
  readonly current?: Rate | undefined;
  /** How far below `maxLoad` the load of a higher rate than `current` must be, as a part of it. Default 0.3. */
  readonly margin?: number | undefined;
  /** How long the measurement may take, in seconds. It runs at least three steps. Default 0.2. */
  readonly seconds?: number | undefined;
  /** The clock for the measurement, in milliseconds. Default: that of drivers. */
  readonly now?: (() => number) | undefined;
}

/** What `suggestRate` found. */
export interface RateSuggestion {
  /** The suggested rate. */
  readonly rate: Rate;
  /** Seconds that a step takes. */
  readonly cost: number;
  /** The part of the time that steps take at the suggested rate. Above 1, this machine is too slow for all of the rates. */
  readonly load: number;
}

const OPTIONS = Object.keys({
  rates: 1,
  maxLoad: 1,
  current: 1,
  margin: 1,
  seconds: 1,
  now: 1,
} satisfies Record<keyof SuggestRateOptions, 1>);

/**
 * Suggests a rate for this machine: the highest at which steps take at most `maxLoad` of the time. Pass a function that runs a
 * typical step, which is then called for `seconds`; or what a step takes, in seconds, such as `measure(loop).recent.stepCost`.
 *
 * With `current`, it has hysteresis: a lower rate is suggested as soon as the load is too high, a higher one only if its load
 * would be low enough by a `margin`. So repeated measurements do not switch back and forth.
 */
export function suggestRate(
  step: (() => unknown) | number,
  options: SuggestRateOptions = {},
): RateSuggestion {
  requireOptions("suggestRate", options, OPTIONS, "{ rates: [30, 60, 120] }");
  const { maxLoad = 0.5, margin = 0.3, seconds = 0.2, now = systemNow } = options;
  requireNumber("suggestRate: maxLoad", maxLoad, 0.01, 1, 0.5);
  requireNumber("suggestRate: margin", margin, 0, 0.9, 0.3);
  requireNumber("suggestRate: seconds", seconds, 0.001, 60, 0.2);
  requireFunction("suggestRate: now", now, "() => performance.now()");
  const rates = ladderOf(options.rates ?? [30, 60, 120]);
  const current = options.current === undefined ? NaN : hertzOf("suggestRate: current", options.current);
  if (typeof step === "number") requireNumber("suggestRate: step", step, 0, 3600, 0.004);
  else requireFunction("suggestRate: step", step, "() => session.advance()");
  const cost = typeof step === "number" ? step : measure(step, seconds * 1e3, now) / 1e3;

  const isKept = rates.some(({ hertz }) => hertz === current) && current * cost <= maxLoad;
  let best = rates[0]!;
  for (const rung of rates) {
    const limit = isKept && rung.hertz > current ? maxLoad * (1 - margin) : maxLoad;
    if (rung.hertz * cost <= limit) best = rung;
  }
  return { rate: best.rate, cost, load: best.hertz * cost };
}

/** Checks the rates to choose from. Returns them with the lowest first. */
function ladderOf(rates: readonly Rate[]): { readonly rate: Rate; readonly hertz: number }[] {
  if (!Array.isArray(rates) || rates.length === 0)
    badValue("suggestRate: rates", "a list of rates", rates, "[30, 60, 120]");
  return rates
    .map((rate: Rate) => ({ rate, hertz: hertzOf("suggestRate: rates", rate) }))
    .sort((a, b) => a.hertz - b.hertz);
}

function hertzOf(subject: string, rate: Rate): number {
  const [numerator, denominator] = exactRate(subject, rate);
  return numerator / denominator;
}

/** Blocks of steps that are timed, and how many there are at least. Long enough for clocks of whole milliseconds. */
const BLOCKS = 9;
const MIN_BLOCKS = 3;
/** Limits a block if a step takes less than the clock can show. */
const MAX_STEPS = 1e6;
/** After this many steps at the same time, find out whether the clock moves at all. */
const STILL_STEPS = 1000;
/** Readings in which a clock must advance. Together they take longer than a tick of the coarsest clock of browsers: 0.1 s. */
const READINGS = 5e6;

/**
 * Times blocks of steps. Returns the median of the cost of a step, in milliseconds, over the later two thirds of the blocks:
 * engines compile the code during the first ones.
 */
function measure(step: () => unknown, milliseconds: number, now: () => number): number {
  const costs: number[] = [];
  const begin = read(now);
  let hasAdvanced = false;
  for (let block = 0; block < BLOCKS; block++) {
    let start = read(now);
    let end = start;
    let steps = 0;
    do {
      requireSynchronous("suggestRate: step", step());
      steps++;
      end = read(now);
      if (end > begin) hasAdvanced = true;
      else if (!hasAdvanced && steps === STILL_STEPS) {
        // The clock is coarse, or it stands still. Start again at its next tick.
        start = end = nextTick(now, begin);
        steps = 0;
        hasAdvanced = true;
      }
    } while (end - start < milliseconds / BLOCKS && steps < MAX_STEPS);
    costs.push(Math.max(0, end - start) / steps);
    if (end - begin >= milliseconds && costs.length >= MIN_BLOCKS) break;
  }
  const warm = costs.slice(Math.floor(costs.length / 3)).sort((a, b) => a - b);
  return warm[Math.floor((warm.length - 1) / 2)]!;
}

const CLOCK = "() => performance.now()";

/** Reads the clock. Throws if it does not return a time. */
function read(now: () => number): number {
  const time: unknown = now();
  if (typeof time === "number" && Number.isFinite(time)) return time;
  return badValue("suggestRate: now", "a clock that returns milliseconds", time, CLOCK);
}

/** Reads the clock until it is later than `begin`, and returns that time. Throws if the clock stands still. */
function nextTick(now: () => number, begin: number): number {
  for (let i = 0; i < READINGS; i++) {
    const time = read(now);
    if (time > begin) return time;
  }
  return badValue("suggestRate: now", "a clock that advances", begin, CLOCK);
}
