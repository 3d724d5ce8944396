import fc from "fast-check";
import { expect, test } from "vitest";
import { FULL } from "../full.js";
import { catchUp, changeRate, every, Loop, ramp, timeScale, timestampOf } from "../../src/loop/next/index.js";
import { Model } from "./model.js";

const RUNS = { numRuns: FULL ? 3000 : 200 };
const SECOND = 1e9;

const rate = fc.oneof(
  fc.constantFrom<[number, number]>([60, 1], [30, 1], [165, 1], [60000, 1001], [2997, 50], [1, 3], [128, 1]),
  fc.tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 20 })),
);
const elapsed = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4e7 }) },
  { weight: 2, arbitrary: fc.constantFrom(16666667, 16666666, 6944444, 33333333) },
  { weight: 1, arbitrary: fc.integer({ min: -1e9, max: 0 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20 * SECOND }) },
);
const action = fc.oneof(
  { weight: 12, arbitrary: fc.record({ time: elapsed, pauseIn: fc.integer({ min: -20, max: 6 }) }) },
  { weight: 1, arbitrary: fc.constant("pause" as const) },
  { weight: 3, arbitrary: fc.constant("resume" as const) },
  { weight: 2, arbitrary: fc.record({ scale: fc.constantFrom(0, 1, 0.3, 2, 0.347712371, 5) }) },
  { weight: 1, arbitrary: fc.record({ force: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ maxSteps: fc.constantFrom(1, 2, 5, Infinity) }) },
  { weight: 1, arbitrary: fc.record({ catchUp: fc.constantFrom(0, 0.1, 1) }) },
);

test("equals the model in BigInt: given = simulated + owed + debt + lost, exactly", () => {
  fc.assert(
    fc.property(rate, fc.array(action, { maxLength: 80 }), (rated, actions) => {
      let pauseAt = -1;
      const loop: Loop = new Loop({
        rate: rated,
        step: ({ tick }) => void (tick === pauseAt && loop.pause()),
      });
      const model = new Model(...loop.rate);
      const debt = catchUp(loop, 0);
      for (const what of actions) {
        const { shownTime } = loop.frame;
        if (what === "pause" || what === "resume") {
          loop[what]();
          model.isPaused = loop.paused;
        } else if ("time" in what) {
          pauseAt = what.pauseIn < 0 ? -1 : loop.tick + what.pauseIn;
          loop.advance(what.time / 1e9);
          model.frame(BigInt(what.time), BigInt(pauseAt));
        } else if ("scale" in what) {
          timeScale(loop).set(what.scale);
          model.scale = BigInt(Math.round(what.scale * 1e9));
        } else if ("force" in what) {
          pauseAt = -1;
          loop.runSteps(what.force);
          model.runSteps(BigInt(what.force));
        } else if ("maxSteps" in what) {
          loop.maxSteps = what.maxSteps;
          model.maxSteps = what.maxSteps === Infinity ? undefined : BigInt(what.maxSteps);
        } else {
          debt.max = what.catchUp;
          model.maxDebt = BigInt(Math.round(what.catchUp * 10)) * 100_000_000n * model.numerator;
        }
        model.check();
        const { kernel, frame } = loop;
        expect([BigInt(loop.tick), BigInt(kernel.owed)]).toEqual([model.tick, model.owed]);
        expect(Math.round(debt.debt * kernel.second)).toBe(Number(model.debt));
        expect(Math.abs(loop.lostSeconds - Number(model.lost) / kernel.second)).toBeLessThan(1e-9);
        expect(frame.shownTime).toBeGreaterThanOrEqual(shownTime);
        expect(frame.alpha >= 0 && frame.alpha <= 1).toBe(true);
        expect(loop.paused).toBe(model.isPaused);
      }
    }),
    RUNS,
  );
});

test("the split of the same time into frames does not matter", () => {
  const splits = fc.array(fc.integer({ min: 1, max: 3e8 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(rate, splits, fc.constantFrom(1, 0.3, 2.5), (rated, parts, scale) => {
      const total = parts.reduce((sum, part) => sum + part, 0);
      const run = (frames: readonly number[], change: boolean) => {
        const loop = new Loop({ rate: rated, maxFrameTime: 3600 });
        timeScale(loop).set(change ? ramp(scale, 0.7, "easeInOut") : scale);
        for (const frame of frames) loop.advance(frame / 1e9);
        return loop;
      };
      const [many, one] = [run(parts, false), run([total], false)];
      expect([many.tick, many.kernel.owed]).toEqual([one.tick, one.kernel.owed]);
      const [ramped, atOnce] = [run(parts, true), run([total], true)].map(
        ({ time, kernel }) => time + kernel.owed / kernel.second,
      );
      expect(ramped).toBeCloseTo(atOnce!, 9);
    }),
    RUNS,
  );
});

test("beat k of rate b runs before the first step n with n / rate ≥ k / b, forever", () => {
  const beats = fc.array(fc.tuple(fc.integer({ min: 1, max: 240 }), fc.integer({ min: 1, max: 7 })), {
    minLength: 1,
    maxLength: 4,
  });
  fc.assert(
    fc.property(
      rate,
      beats,
      fc.array(fc.integer({ min: 0, max: 1e8 }), { maxLength: 30 }),
      (rated, rates, times) => {
        const heard: string[] = [];
        const loop = new Loop({ rate: rated, step: ({ tick }) => void heard.push(`step ${tick}`) });
        rates.forEach((beat, i) => every(loop, beat, ({ tick }) => void heard.push(`beat ${i} ${tick}`)));
        for (const time of times) loop.advance(time / 1e9);
        loop.runSteps(3);
        const expected: string[] = [];
        const [numerator, denominator] = loop.rate.map(BigInt) as [bigint, bigint];
        const next = rates.map(() => 0n);
        for (let step = 0n; step < BigInt(loop.tick); step++) {
          const due: { at: bigint; below: bigint; i: number; k: bigint }[] = [];
          rates.forEach((beat, i) => {
            const [above, below] = beat.map(BigInt) as [bigint, bigint];
            for (; next[i]! * below * numerator <= step * denominator * above; next[i]!++)
              due.push({ at: next[i]! * below, below: above, i, k: next[i]! });
          });
          due.sort((a, b) => Number(a.at * b.below - b.at * a.below) || a.i - b.i);
          for (const { i, k } of due) expected.push(`beat ${i} ${k}`);
          expected.push(`step ${step}`);
        }
        expect(heard).toEqual(expected);
      },
    ),
    RUNS,
  );
});

test("a new rate: the picture does not jump, and goes on at the same speed", () => {
  const times = fc.array(fc.integer({ min: 1, max: 5e7 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(fc.tuple(rate, times), { minLength: 1, maxLength: 8 }), (changes) => {
      const loop = new Loop({ rate: 60 });
      let [reported, lost] = [0, 0];
      loop.on("rate", (info) => (reported += info.lost));
      for (const [rated, frames] of changes) {
        const { alpha, shownTime } = loop.frame;
        const { dt } = loop;
        changeRate(loop, rated);
        expect(Math.abs(loop.kernel.alpha - alpha)).toBeLessThan(2e-9);
        expect(Math.abs(loop.kernel.shownTime - shownTime)).toBeLessThan(1e-8 + 2e-9 * dt);
        let shown = shownTime;
        for (const frame of frames) {
          loop.advance(frame / 1e9);
          expect(loop.frame.shownTime).toBeGreaterThanOrEqual(shown - 1e-9);
          shown = loop.frame.shownTime;
        }
        lost = loop.lostSeconds;
      }
      expect(lost).toBeCloseTo(reported, 9);
      const given = changes.flatMap(([, frames]) => frames).reduce((sum, time) => sum + time / 1e9, 0);
      expect(loop.time + loop.kernel.owed / loop.kernel.second + lost).toBeCloseTo(given, 6);
    }),
    RUNS,
  );
});

test("the timestamp of a tick is when it is shown, at any speed", () => {
  for (const scale of [1, 0.5, 3])
    for (const isRamp of [false, true]) {
      const loop = new Loop({ rate: 50 });
      loop.advance(0.1);
      timeScale(loop).set(isRamp ? ramp(scale, 0.4, "easeIn") : scale);
      timeScale(loop).hitStop(0.05);
      const at = timestampOf(loop, 20);
      for (let i = 0; loop.frame.timestamp < at - 1 && i < 1e4; i++) loop.advance(0.001);
      loop.advance((at - loop.frame.timestamp) / 1000);
      expect(loop.frame.shownTime).toBeCloseTo(20 * loop.dt, 6);
    }
});
