import { REST } from "./reduce.js";

// Polynomials of fdlibm's k_sin.c and k_cos.c, for angles up to π / 4, with a relative error of 2^-58.
const S1 = -1.66666666666666324348e-1;
const S2 = 8.33333333332248946124e-3;
const S3 = -1.98412698298579493134e-4;
const S4 = 2.75573137070700676789e-6;
const S5 = -2.50507602534068634195e-8;
const S6 = 1.58969099521155010221e-10;
const C1 = 4.16666666666666019037e-2;
const C2 = -1.38888888888741095749e-3;
const C3 = 2.48015872894767294178e-5;
const C4 = -2.75573143513906633035e-7;
const C5 = 2.0875723212981748279e-9;
const C6 = -1.13596475577881948265e-11;

/** sin(x + y) - x, where y is small. */
export function sineLow(x: number, y: number): number {
  const z = x * x;
  const w = z * z;
  const v = z * x;
  const r = S2 + z * (S3 + z * S4) + z * w * (S5 + z * S6);
  return v * S1 - (z * (0.5 * y - v * r) - y);
}

/** cos(x + y) - (1 - x² / 2), where both of the latter are rounded. */
export function cosineLow(x: number, y: number): number {
  const z = x * x;
  const half = 0.5 * z;
  const w = z * z;
  const r = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6));
  return 1 - (1 - half) - half + (z * r - x * y);
}

/** Both sine and cosine: computing both is cheaper than a branch that is mispredicted half of the time. */
const BOTH = /* @__PURE__ */ new Float64Array(2);

/** Returns the sine of n quarter turns plus REST. */
export function sineOf(n: number): number {
  const x = REST[0]!;
  const y = REST[1]!;
  BOTH[0] = x + sineLow(x, y);
  BOTH[1] = 1 - 0.5 * (x * x) + cosineLow(x, y);
  return BOTH[n & 1]! * (1 - (n & 2));
}
