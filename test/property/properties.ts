/** Properties of every loop, as functions: fast-check calls them with random cases. */
import { expect } from "vitest";
import { Loop, ramp, type LoopOptions, type PolicyOptions } from "../../src/index.js";
import { Model } from "./model.js";

/** An action on a loop. Times are whole nanoseconds, scales whole billionths. */
export type Action =
  | { do: "advance"; time: number; pauseIn?: number }
  | { do: "pause" | "resume" }
  | { do: "scale"; scale: number; over: number }
  | { do: "runSteps"; count: number }
  | { do: "policy"; maxFrame?: number; maxSteps?: number; budget?: number; catchUp?: number };

type Policy = Action & { do: "policy" };

/** Returns a pseudo-random cost of a step, in whole microseconds. */
const costOf = (tick: number, max: number) => (Math.imul(tick + 1, 2654435761) >>> 8) % (max + 1);

/**
 * After each frame, ticks, overstep, debt, lost time and alpha equal those of the BigInt model; and received + lead =
 * simulated + overstep + debt + lost. Only display pacing has a lead.
 */
export function equalsModel(
  rate: readonly [number, number],
  actions: readonly Action[],
  maxCost = 0,
  isAttached = false,
  pacing: "display" | "raw" = "raw",
): void {
  let clock = 0;
  let pauseAt = -1;
  const loop: Loop = new Loop({
    rate,
    pacing,
    now: () => clock,
    step({ tick }) {
      clock += costOf(tick, maxCost) / 1000;
      if (tick === pauseAt) loop.pause();
    },
  });
  // With a listener, no frame is a plain one.
  if (isAttached) loop.on("afterStep", () => {});
  const [numerator, denominator] = loop.rate;
  const model = new Model(numerator, denominator, pacing === "display");
  for (const action of actions) {
    switch (action.do) {
      case "advance": {
        pauseAt = action.pauseIn === undefined ? -1 : loop.tick + action.pauseIn;
        const { tick: before, shownTime } = loop;
        loop.advance(action.time / 1e9);
        const steps = model.frame(
          BigInt(action.time),
          (tick) => BigInt(costOf(Number(tick), maxCost)) * 1000n,
          BigInt(pauseAt),
          BigInt(Math.round(loop.lead * 1e9 * numerator)),
        );
        pauseAt = -1;
        expect(loop.shownTime, "shown time").toBeGreaterThanOrEqual(shownTime);
        expect(loop.tick - before, "steps").toBe(Number(steps));
        break;
      }
      case "pause":
        loop.pause();
        model.paused = true;
        break;
      case "resume":
        loop.resume();
        model.paused = false;
        break;
      case "scale":
        loop.timeScale = ramp(action.scale / 1e9, action.over / 1e9);
        model.setScale(BigInt(action.scale), BigInt(action.over));
        break;
      case "runSteps":
        loop.runSteps(action.count);
        model.runSteps(BigInt(action.count));
        break;
      case "policy":
        configure(loop, model, action);
        break;
    }
    compare(loop, model);
  }
}

/** Returns the settings of an action: 0 stands for no limit. */
function settingsOf({ maxFrame, maxSteps, budget, catchUp }: Policy): PolicyOptions {
  return {
    ...(maxFrame !== undefined && { maxFrameTime: maxFrame / 1e9 }),
    ...(maxSteps !== undefined && { maxSteps: maxSteps === 0 ? Infinity : maxSteps }),
    ...(budget !== undefined && { stepBudget: budget === 0 ? Infinity : budget / 1e9 }),
    ...(catchUp !== undefined && { overload: catchUp === 0 ? "drop" : { catchUp: catchUp / 1e9 } }),
  };
}

/** A loop with listeners, whose frames are not plain, gives the same results as one without. */
export function attachingDoesNotMatter(rate: readonly [number, number], actions: readonly Action[]): void {
  const [plain, attached] = [false, true].map((isAttached) => {
    const told: unknown[] = [];
    let pauseAt = -1;
    const loop: Loop = new Loop({
      rate,
      now: () => loop.tick,
      step(info) {
        told.push({ ...info }, loop.timestampOf(info.tick));
        if (info.tick === pauseAt) loop.pause();
      },
      render: (info) => void told.push({ ...info }),
    });
    if (isAttached) loop.on("step", () => {});
    for (const action of actions) {
      pauseAt = action.do === "advance" && action.pauseIn !== undefined ? loop.tick + action.pauseIn : -1;
      act(loop, action);
      const { frames, steps, lostSeconds, overloads, framesWithoutTime, frameTime } = loop.stats;
      told.push([
        frames,
        steps,
        lostSeconds,
        overloads,
        framesWithoutTime,
        frameTime,
        loop.debt,
        loop.overstep,
      ]);
      told.push(
        Math.round(loop.stats.effectiveSpeed * 1e9),
        loop.stats.recent.steps,
        loop.stats.framesWith(1),
      );
    }
    return told;
  });
  expect(attached).toEqual(plain);
}

function act(loop: Loop, action: Action): void {
  if (action.do === "advance") loop.advance(action.time / 1e9);
  else if (action.do === "scale") loop.timeScale = ramp(action.scale / 1e9, action.over / 1e9);
  else if (action.do === "runSteps") loop.runSteps(action.count);
  else if (action.do === "policy") loop.configure(settingsOf(action));
  else loop[action.do]();
}

function configure(loop: Loop, model: Model, action: Policy): void {
  const { maxFrame, maxSteps, budget, catchUp } = action;
  loop.configure(settingsOf(action));
  model.setPolicy({
    ...(maxFrame !== undefined && { maxFrame: BigInt(maxFrame) }),
    ...(maxSteps !== undefined && { maxSteps: maxSteps === 0 ? undefined : BigInt(maxSteps) }),
    ...(budget !== undefined && { budget: budget === 0 ? undefined : BigInt(budget) }),
    ...(catchUp !== undefined && { catchUp: BigInt(catchUp) }),
  });
}

function compare(loop: Loop, model: Model): void {
  expect(loop.tick, "tick").toBe(Number(model.ticks));
  const { unitsPerStep, isDisplay } = model;
  const whole = isDisplay ? unitsPerStep : 0n;
  expect(loop.alpha, "alpha").toBe(Number(model.overstep + whole) / Number(unitsPerStep));
  expect(Math.abs(loop.lead), "lead").toBeLessThanOrEqual(0.5 * loop.dt);
  expectUnits(loop.overstep, model.overstep, model.numerator, "overstep");
  expectUnits(loop.debt, model.debt, model.numerator, "debt");
  expectUnits(loop.stats.lostSeconds, model.lost, model.numerator, "lost");
  expect(loop.timeScale, "scale").toBe(Number(model.currentScale()) / 1e9);
  const simulated = model.ticks * model.unitsPerStep;
  // The shown time is received - lost - debt, within the lead; with raw pacing, one step later.
  const { received, lost, debt, lead, numerator } = model;
  const shown =
    Number(received + lead - lost - debt - (isDisplay ? 0n : unitsPerStep)) / Number(numerator) / 1e9;
  if (model.ticks > 0n) expect(Math.abs(loop.shownTime - shown), "shown").toBeLessThan(1e-9 + 1e-12 * shown);
  expect(model.received + model.lead, "the law").toBe(simulated + model.overstep + model.debt + model.lost);
}

/** Seconds distinguish single units up to about 10^14 of them. */
function expectUnits(seconds: number, units: bigint, numerator: bigint, what: string): void {
  if (units < 10n ** 14n) expect(Math.round(seconds * 1e9 * Number(numerator)), what).toBe(Number(units));
  else expect(Math.abs(seconds / (Number(units) / Number(numerator) / 1e9) - 1), what).toBeLessThan(1e-14);
}

/** Any split of the same elapsed time gives the same ticks and the same alpha. */
export function splitDoesNotMatter(
  options: LoopOptions,
  parts: readonly number[],
  otherParts: readonly number[],
  change?: { scale: number; over: number },
): void {
  const run = (nanoseconds: readonly number[]) => {
    const loop = new Loop({ ...options, maxFrameTime: 3600 });
    if (change) loop.timeScale = ramp(change.scale / 1e9, change.over / 1e9);
    for (const part of nanoseconds) loop.advance(part / 1e9);
    return [loop.tick, loop.alpha];
  };
  expect(run(parts)).toEqual(run(otherParts));
}

/** Steps get the same info at any time scale: slow motion is the same simulation, bit for bit. */
export function scaleDoesNotChangeSteps(
  rate: readonly [number, number],
  scale: number,
  frames: readonly number[],
): void {
  const told = (timeScale: number, elapsed: Iterable<number>, enough: number) => {
    const steps: unknown[] = [];
    const loop = new Loop({ rate, timeScale, step: (info) => void steps.push({ ...info }) });
    for (const time of elapsed) loop.advance(time / 1e9);
    while (steps.length < enough) loop.runSteps();
    return steps;
  };
  const slow = told(scale / 1e9, frames, 0);
  expect(told(1, [], slow.length)).toEqual(slow);
}

/**
 * Each beat k of rate b runs just before the first step n with n / rate ≥ k / b. Beats before the same step run in order of
 * exact time, then of declaration.
 */
export function beatsKeepPhase(
  rate: readonly [number, number],
  beats: readonly { rate: readonly [number, number]; from: number }[],
  frames: readonly number[],
  maxSteps = Infinity,
): void {
  const heard: string[] = [];
  const loop = new Loop({ rate, maxSteps, step: ({ tick }) => void heard.push(`step ${tick}`) });
  const declare = (at: number) =>
    beats.forEach((beat, i) => {
      if (beat.from === at) loop.every(beat.rate, ({ tick }) => void heard.push(`beat ${i} ${tick}`));
    });
  declare(0);
  loop.on("afterStep", ({ tick }) => declare(tick + 1));
  for (const time of frames) loop.advance(time / 1e9);
  loop.runSteps(3);

  const expected: string[] = [];
  const [numerator, denominator] = loop.rate.map(BigInt) as [bigint, bigint];
  const next = beats.map(() => 0n);
  for (let step = 0n; step < BigInt(loop.tick); step++) {
    const due: { at: bigint; below: bigint; i: number; k: bigint }[] = [];
    beats.forEach((beat, i) => {
      const [above, below] = beat.rate.map(BigInt) as [bigint, bigint];
      // k / b ≤ n / rate, as k × below × numerator ≤ n × denominator × above.
      for (; next[i]! * below * numerator <= step * denominator * above; next[i]!++)
        if (beat.from <= step) due.push({ at: next[i]! * below, below: above, i, k: next[i]! });
    });
    due.sort((a, b) => Number(a.at * b.below - b.at * a.below) || declaration(beats, a.i, b.i));
    for (const { i, k } of due) expected.push(`beat ${i} ${k}`);
    expected.push(`step ${step}`);
  }
  expect(heard).toEqual(expected);
}

const declaration = (beats: readonly { from: number }[], a: number, b: number) =>
  beats[a]!.from - beats[b]!.from || a - b;
