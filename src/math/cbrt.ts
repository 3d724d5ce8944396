import { fromHighWord, highWord, thirdOfSingle } from "./bits.js";
import { upper } from "./pair.js";

// Divide the exponent by three, then apply a polynomial that is accurate to 23 bits. Method and constants: FreeBSD's
// s_cbrt.c.
const THIRD_OF_BIAS = 715094163;
const P0 = 1.87595182427177009643;
const P1 = -1.88497979543377169875;
const P2 = 1.62142972010535446614;
const P3 = -0.758397934778766047437;
const P4 = 0.145996192886612446982;
// 2^600 and 2^200.
const UP = 4.149515568880993e180;
const UP_ROOT = 1.6069380442589903e60;

/** Returns the cube root. Error below 0.51 ulp. */
export function cbrt(x: number): number {
  const a = Math.abs(x);
  // Within these bounds, neither the cube nor its parts overflow or underflow.
  if (!(a > 1e-250 && a < 1e300)) return unusual(x, a);
  const rough =
    a > 1e-37 && a < 1e38 ? thirdOfSingle(a) : fromHighWord(Math.floor(highWord(a) / 3) + THIRD_OF_BIAS);
  const r = rough * rough * (rough / a);
  const near = rough * (P0 + r * (P1 + r * P2) + r * r * r * (P3 + r * P4));
  // Round to 23 bits, with a splitter of 2^30 + 1, so that the square and the products of its parts with t are exact.
  const c = near * 1073741825;
  const t = c - (c - near);
  const square = t * t;
  const top = upper(square);
  // a - t³, practically exact. One step of Halley's iteration cubes the error of t, to below 2^-66.
  const lack = a - top * t - (square - top) * t;
  const root = t + t * (lack / (3 * (square * t) + lack));
  return x < 0 ? -root : root;
}

/** `cbrt` for tiny and huge numbers. Zeros, infinities and NaN are their own roots. */
function unusual(x: number, a: number): number {
  if (!(a > 0 && a < Infinity)) return x;
  return a < 1 ? cbrt(x * UP) / UP_ROOT : cbrt(x / UP) * UP_ROOT;
}
