import fc from "fast-check";
import { expect, test } from "vitest";
import { Span } from "./span.js";
import { SECOND } from "./units.js";

const rates = fc.constantFrom<[number, number]>(
  [60, 1],
  [60000, 1001],
  [360003, 2500],
  [1, 3],
  [10000000, 166833],
  [89_000_000, 1],
  [1, 4_000_000],
  [29_999_999, 299_998],
);

test("steps and rest are exact for any time, up to a hundred days", () => {
  fc.assert(
    fc.property(
      rates,
      fc.array(fc.integer({ min: 0, max: 9e15 }), { maxLength: 6 }),
      ([numerator, denominator], times) => {
        const span = new Span([numerator, denominator]);
        let units = 0n;
        for (const time of times) {
          span.add(time);
          units += BigInt(time) * BigInt(numerator);
        }
        const perStep = BigInt(SECOND) * BigInt(denominator);
        expect(BigInt(span.steps)).toBe(units / perStep);
        expect(BigInt(span.rest)).toBe(units % perStep);
      },
    ),
    { numRuns: 60 },
  );
});

test("moveTo with a limit loses nothing", () => {
  const time = fc.integer({ min: 0, max: 1e13 });
  fc.assert(
    fc.property(rates, time, time, time, (rate, a, b, most) => {
      const [from, to, bound, both] = [new Span(rate), new Span(rate), new Span(rate), new Span(rate)];
      from.add(a);
      to.add(b);
      bound.add(most);
      both.add(a);
      both.add(b);
      from.moveTo(to, bound);
      expect(from.steps).toBeGreaterThanOrEqual(0);
      expect(from.isEmpty).toBe(a <= most);
      from.moveTo(to);
      expect([to.steps, to.rest, from.isEmpty]).toEqual([both.steps, both.rest, true]);
    }),
  );
});

test("whole nanoseconds become the nearest number of seconds", () => {
  fc.assert(
    fc.property(
      fc.constantFrom<[number, number]>([60, 1], [60000, 1001], [2997, 50]),
      fc.integer({ min: 0, max: 1e13 }),
      (rate, time) => {
        const span = new Span(rate);
        span.add(time);
        expect(span.seconds).toBe(time / 1e9);
      },
    ),
  );
});
