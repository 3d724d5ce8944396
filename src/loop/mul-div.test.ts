import fc from "fast-check";
import { expect, test } from "vitest";
import { mulDiv, remainder } from "./mul-div.js";

test("a × b / c is exact even if the product exceeds 2^53", () => {
  const whole = (most: number) => fc.integer({ min: 0, max: most });
  fc.assert(
    fc.property(whole(2 ** 45), whole(2 ** 45), fc.integer({ min: 1, max: 2 ** 51 }), (a, b, c) => {
      const product = BigInt(a) * BigInt(b);
      fc.pre(product / BigInt(c) < 2n ** 53n);
      expect(BigInt(mulDiv(a, b, c))).toBe(product / BigInt(c));
      expect(BigInt(remainder[0]!)).toBe(product % BigInt(c));
    }),
    { numRuns: 5000 },
  );
});
