// The rate may change at any time: the picture goes on without a jump, and no time is lost that is not reported.
import fc from "fast-check";
import { expect, test } from "vitest";
import { catchUp, changeRate, every, Loop, timeScale } from "../../src/index.js";
import { manualDisplay } from "../../src/testing/index.js";
import { rate, runs } from "./arbitraries.js";

const frame = fc.oneof(fc.constantFrom(16_666_667, 6_944_444), fc.integer({ min: 1, max: 200_000_000 }));
const usual = fc.constantFrom<(readonly [number, number])[]>(
  ...[1, 10, 15, 20, 24, 25, 30, 48, 50, 60, 72, 75, 90, 100, 120, 144, 240].map(
    (hertz) => [hertz, 1] as const,
  ),
);
const changes = (rates: fc.Arbitrary<readonly [number, number]>) =>
  fc.array(fc.record({ rate: rates, frames: fc.array(frame, { maxLength: 12 }) }), {
    minLength: 1,
    maxLength: 12,
  });

test("alpha and shown time stay, steps are exact between changes, and the sum of all times is kept", () => {
  fc.assert(
    fc.property(changes(rate), fc.boolean(), (list, isInside) => {
      const loop = new Loop({ rate: 60, maxFrameTime: 1 });
      let [reported, given] = [0, 0];
      loop.on("rate", ({ lost }) => void (reported += lost));
      for (const { rate: rated, frames } of list) {
        const { alpha, shownTime } = loop.frame;
        const { dt, time, tick } = loop;
        if (isInside) {
          const off = loop.on("render", () => changeRate(loop, rated));
          loop.advance(0);
          off();
        } else changeRate(loop, rated);
        expect(loop.tick).toBe(tick);
        // Rounded like the time of any other step with that number.
        const rounding = 1e-12 + 2 ** -51 * tick * Math.max(dt, loop.dt);
        expect(Math.abs(loop.time - time)).toBeLessThan(rounding);
        expect(Math.abs(loop.kernel.alpha - alpha)).toBeLessThan(2e-9);
        expect(Math.abs(loop.kernel.shownTime - shownTime)).toBeLessThan(1e-8 + 2e-9 * dt + rounding);
        const { kernel } = loop;
        const [step, numerator] = [BigInt(kernel.step), BigInt(loop.rate[0])];
        let owed = BigInt(kernel.owed);
        let steps = 0n;
        let shown = shownTime;
        for (const nanoseconds of frames) {
          loop.advance(nanoseconds / 1e9);
          given += nanoseconds / 1e9;
          owed += BigInt(nanoseconds) * numerator;
          steps += owed / step;
          owed %= step;
          expect([BigInt(loop.tick - tick), BigInt(kernel.owed)]).toEqual([steps, owed]);
          expect(loop.frame.shownTime).toBeGreaterThanOrEqual(shown - 1e-8 - 2e-9 * dt - rounding);
          expect(loop.frame.shownTime).toBeLessThanOrEqual(loop.time);
          shown = loop.frame.shownTime;
        }
        expect(Math.abs(loop.time - (time + (loop.tick - tick) * loop.dt))).toBeLessThan(2 * rounding + 1e-9);
      }
      expect(loop.lostSeconds).toBeCloseTo(reported, 8);
      expect(loop.time + loop.kernel.owed / loop.kernel.second + loop.lostSeconds).toBeCloseTo(given, 6);
    }),
    runs(200),
  );
});

test("beats keep their times", () => {
  const beatRate = fc.constantFrom<(readonly [number, number])[]>([4, 1], [25, 1], [60, 1], [150, 1], [1, 3]);
  fc.assert(
    fc.property(changes(usual), beatRate, (list, rated) => {
      let [last, lastDt] = [-1, 0];
      const loop = new Loop({ rate: 60, maxFrameTime: 1 });
      loop.on("afterStep", ({ dt }) => void (lastDt = dt));
      every(loop, rated, ({ tick, time }) => {
        expect(tick).toBe(last + 1);
        last = tick;
        // Just before the first step at or after its time, to a thousandth of a step.
        expect(loop.time - time).toBeGreaterThan(-0.001 * loop.dt);
        expect(loop.time - time).toBeLessThan(lastDt + 0.001 * loop.dt);
      });
      for (const { rate: next, frames } of list) {
        for (const time of frames) loop.advance(time / 1e9);
        changeRate(loop, next);
      }
    }),
    runs(200),
  );
});

test("beats keep exact phase if the new steps begin where steps of the old rate did", () => {
  // Whole seconds are multiples of all these steps.
  fc.assert(
    fc.property(
      fc.array(fc.tuple(usual, fc.integer({ min: 1, max: 400 })), { maxLength: 12 }),
      usual,
      (list, rated) => {
        const wrong: string[] = [];
        let lastDt = 1;
        const loop = new Loop({ rate: 60 });
        loop.on("afterStep", ({ dt }) => void (lastDt = dt));
        every(loop, rated, ({ tick }) => {
          const late = loop.time - tick / rated[0];
          if (late < -1e-7 || late > lastDt - 1e-7) wrong.push(`beat ${tick} at ${loop.time}`);
        });
        for (const [next, seconds] of list) {
          changeRate(loop, next);
          loop.runSteps(seconds * next[0]);
        }
        expect(wrong).toEqual([]);
      },
    ),
    runs(50),
  );
});

test("on a display, given + lead = simulated + owed + debt + lost, exactly at any rate, scale and limit", () => {
  const action = fc.oneof(
    { weight: 12, arbitrary: fc.record({ frames: fc.array(frame, { minLength: 1, maxLength: 20 }) }) },
    { weight: 6, arbitrary: fc.record({ hertz: fc.constantFrom(60, 59.94, 144, 75, 240) }) },
    { weight: 2, arbitrary: fc.record({ scale: fc.constantFrom(0, 1, 0.3, 2, 0.347712371) }) },
    { weight: 1, arbitrary: fc.record({ hitStop: fc.integer({ min: 0, max: 300 }) }) },
    { weight: 1, arbitrary: fc.record({ maxSteps: fc.constantFrom(1, 2, 5, Infinity) }) },
    { weight: 1, arbitrary: fc.record({ catchUp: fc.constantFrom(0, 0.1, 1) }) },
    { weight: 1, arbitrary: fc.record({ force: fc.nat(3) }) },
  );
  fc.assert(
    fc.property(rate, fc.array(action, { maxLength: 20 }), (rated, actions) => {
      const loop = new Loop({ rate: rated });
      let [given, lost, longest] = [0n, 0n, 0];
      // First, so that it sees the time before parts take some of it.
      loop.use({
        repay: ({ units }) => void (given += BigInt(units)),
        lose: ({ real, units }) => void (given += real > 0 ? BigInt(units) : 0n),
        lost: ({ units }) => void (lost += BigInt(units)),
        force: (count) => void (given += BigInt(count) * BigInt(loop.kernel.step)),
      });
      const debt = catchUp(loop, 0);
      const screen = manualDisplay({}, 3);
      loop.start(screen);
      let shown = 0;
      for (const what of actions) {
        if ("frames" in what) {
          for (const time of what.frames) {
            longest = Math.max(longest, time / 1e9);
            screen.wait(time / 1e9);
          }
        } else if ("hertz" in what) screen.display(what.hertz, 0.5);
        else if ("scale" in what) timeScale(loop).set(what.scale);
        else if ("hitStop" in what) timeScale(loop).hitStop(what.hitStop / 1e3);
        else if ("maxSteps" in what) loop.maxSteps = what.maxSteps;
        else if ("catchUp" in what) debt.max = what.catchUp;
        else loop.runSteps(what.force);
        const { tick, step, owed, lead, second } = loop.kernel;
        const debts = BigInt(Math.round(debt.debt * second));
        expect(given + BigInt(lead)).toBe(BigInt(tick) * BigInt(step) + BigInt(owed) + debts + lost);
        expect(lead >= 0 && lead < 2 * step).toBe(true);
        expect(loop.frame.shownTime).toBeGreaterThanOrEqual(shown);
        expect(loop.alpha >= 0 && loop.alpha <= 1).toBe(true);
        shown = loop.frame.shownTime;
      }
    }),
    runs(100),
  );
});
