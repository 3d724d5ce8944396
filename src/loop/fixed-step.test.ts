import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exactRate, type Rate } from "./rate.js";
import { FixedStep, type Stepper } from "./fixed-step.js";

const endless: Stepper = { mayStep: () => true, step() {}, stepped() {} };

/** A kernel, given seconds. */
function kernel(rate: Rate) {
  const fixed = new FixedStep(exactRate("rate", rate));
  return {
    fixed,
    give(seconds: number, steps: Stepper = endless) {
      const { tick } = fixed;
      const time = { real: seconds };
      fixed.convert(time);
      fixed.owed += time.real;
      fixed.run(steps);
      return fixed.tick - tick;
    },
  };
}

describe("n / rate seconds are n steps, forever", () => {
  test.each<Rate>([30, 50, 60, 64, 100, 120, 144, 240, 59.94, [60000, 1001], 1000 / 3, 0.1])(
    "at %j",
    (rate) => {
      const { fixed, give } = kernel(rate);
      const [numerator, denominator] = fixed.rate;
      for (let i = 0; i < 5000; i++) {
        const steps = 1 + (i % 3);
        const seconds = i % 2 ? steps * fixed.dt : (steps * denominator) / numerator;
        expect(give(seconds)).toBe(steps);
        expect(fixed.owed).toBe(0);
      }
    },
  );
});

test("equals a model in BigInt: whole nanoseconds are exact, and nothing is lost by rounding", () => {
  const rates = fc.oneof(
    fc.constantFrom<[number, number]>([60, 1], [60000, 1001], [1, 3], [360003, 2500]),
    fc.tuple(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 1000 })),
  );
  fc.assert(
    fc.property(rates, fc.array(fc.integer({ min: 0, max: 5e9 }), { maxLength: 60 }), (rate, times) => {
      const { fixed, give } = kernel(rate);
      const [numerator, denominator] = fixed.rate.map(BigInt) as [bigint, bigint];
      const step = 1_000_000_000n * denominator;
      let owed = 0n;
      let tick = 0n;
      for (const time of times) {
        give(time / 1e9);
        owed += BigInt(time) * numerator;
        tick += owed / step;
        owed %= step;
        expect([BigInt(fixed.tick), BigInt(fixed.owed)]).toEqual([tick, owed]);
        fixed.show();
        expect(fixed.alpha).toBe(owed < step - 1n ? Number(owed) / Number(step) : 1);
      }
    }),
  );
});

test("fractions of a unit are carried over", () => {
  const { fixed, give } = kernel(1);
  // A third of a nanosecond.
  for (let i = 0; i < 3000; i++) give(1e-9 / 3);
  expect(fixed.owed).toBe(1000);
});

test("a step that throws stays owed", () => {
  const { fixed, give } = kernel(10);
  let fails = 2;
  const steps: Stepper = {
    ...endless,
    step() {
      if (fixed.tick === 1 && fails-- > 0) throw new Error("no");
    },
  };
  expect(() => give(0.35, steps)).toThrow("no");
  fixed.show();
  expect([fixed.tick, fixed.alpha, fixed.shownTime]).toEqual([1, 1, 0.1]);
  expect(() => give(0, steps)).toThrow("no");
  expect(give(0, steps)).toBe(2);
  expect(fixed.owed / fixed.second).toBe(0.05);
});

test("takes no step while the stepper does not go on, and drops whole steps", () => {
  const { fixed, give } = kernel(10);
  let left = 2;
  expect(give(0.55, { ...endless, mayStep: () => left-- > 0 })).toBe(2);
  expect(fixed.drop() / fixed.step).toBe(3);
  expect([fixed.tick, fixed.owed / fixed.step]).toEqual([2, 0.5]);
  expect(fixed.untilNext).toBe(0.05);
});

test("the picture lies between the last two states, and the last unit of a step shows the newest", () => {
  const { fixed, give } = kernel(4);
  fixed.show();
  expect([fixed.alpha, fixed.shownTime]).toEqual([0, 0]);
  give(0.3125);
  fixed.show();
  expect([fixed.tick, fixed.alpha, fixed.shownTime]).toEqual([1, 0.25, 0.0625]);
  fixed.owed = fixed.step - 1;
  fixed.show();
  expect([fixed.alpha, fixed.shownTime]).toEqual([1, 0.25]);
});

test("a forced step takes no time", () => {
  const { fixed, give } = kernel(4);
  give(0.0625);
  fixed.force(endless);
  expect([fixed.tick, fixed.owed / fixed.step]).toEqual([1, 0.25]);
});
