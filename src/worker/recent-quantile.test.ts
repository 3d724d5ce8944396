import fc from "fast-check";
import { expect, test } from "vitest";
import { RecentQuantile } from "./recent-quantile.js";

test("is the number that the wanted share of the last ones does not exceed", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 80 }),
      fc.integer({ min: 1, max: 20 }),
      fc.constantFrom(0.5, 0.9, 0.999, 1),
      (numbers, size, share) => {
        const quantile = new RecentQuantile(size, share);
        expect(quantile.value).toBe(-Infinity);
        for (const number of numbers) quantile.add(number);
        const last = numbers.slice(-size).sort((a, b) => b - a);
        expect(quantile.count).toBe(last.length);
        expect(quantile.value).toBe(last[Math.floor((1 - share) * last.length + 1e-9)]);
        expect(Array.from(last, (_, rank) => quantile.at(rank))).toEqual([...last].reverse());
      },
    ),
  );
});

test("leaves out the largest two of 2048 at 99.9 %", () => {
  const quantile = new RecentQuantile(2048, 0.999);
  for (let i = 0; i < 5000; i++) quantile.add(i % 2500);
  expect(quantile.value).toBe(2497);
  quantile.clear();
  quantile.add(7);
  expect([quantile.count, quantile.value]).toEqual([1, 7]);
});
