import { atanLow } from "./atan-low.js";

/** Numbers per row of the table: p, q, and C as a pair. */
const ROW = 4;
// Rows: up to 7 / 16, 11 / 16, 19 / 16, 39 / 16, and beyond. C: 0, atan(1 / 2), π / 4, atan(3 / 2), π / 2.
const TABLE = /* @__PURE__ */ new Float64Array([
  1, 0, 0, 0, 2, 1, 0.4636476090008061, 2.2698777452961687e-17, 1, 1, 0.7853981633974483,
  3.061616997868383e-17, 2, 3, 0.982793723247329, 1.3903311031230998e-17, 0, 1, 1.5707963267948966,
  6.123233995736766e-17,
]);

/**
 * Returns the angle, in radians, whose tangent is x. Error below 0.88 ulp. It is C + atan(t), t = (p x - q) / (p + q
 * x), as in fdlibm's s_atan.c, with the constants in a table to avoid branches.
 */
export function atan(x: number): number {
  const a = Math.abs(x);
  // Tiny arguments, and -0, are their own result.
  if (a < 1e-8) return x;
  const row = (+(a > 0.4375) + +(a > 0.6875) + +(a > 1.1875) + +(a > 2.4375)) * ROW;
  // Beyond this, it is π / 2. An infinity would make the products NaN.
  const b = a > 1e17 ? 1e17 : a;
  const p = TABLE[row]!;
  const q = TABLE[row + 1]!;
  const t = (p * b - q) / (p + q * b);
  const c = TABLE[row + 2]!;
  const angle = c + t;
  const value = angle + (c - angle + t + (TABLE[row + 3]! - atanLow(t)));
  return x < 0 ? -value : value;
}
