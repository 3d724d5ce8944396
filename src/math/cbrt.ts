import { fromHighWord, highWord, thirdOfSingle } from "./bits.js";
import { upper } from "./pair.js";

// A third of the exponent, then a polynomial right to 23 bits: FreeBSD's s_cbrt.c, whose constants these are.
const THIRD_OF_BIAS = 715094163;
const P0 = 1.87595182427177009643;
const P1 = -1.88497979543377169875;
const P2 = 1.62142972010535446614;
const P3 = -0.758397934778766047437;
const P4 = 0.145996192886612446982;
// 2^600 and 2^200.
const UP = 4.149515568880993e180;
const UP_ROOT = 1.6069380442589903e60;

/** The cube root. Errs by less than 0.51 ulp. */
export function cbrt(x: number): number {
  const a = Math.abs(x);
  // Within these bounds neither the cube nor its parts over- or underflow.
  if (!(a > 1e-250 && a < 1e300)) return unusual(x, a);
  const rough =
    a > 1e-37 && a < 1e38 ? thirdOfSingle(a) : fromHighWord(Math.floor(highWord(a) / 3) + THIRD_OF_BIAS);
  const r = rough * rough * (rough / a);
  const near = rough * (P0 + r * (P1 + r * P2) + r * r * r * (P3 + r * P4));
  // 23 bits, by a splitter of 2^30 + 1: the square is exact, and so are the products of its parts with t.
  const c = near * 1073741825;
  const t = c - (c - near);
  const square = t * t;
  const top = upper(square);
  // a - t³, as good as exact. From there, one step of Halley's iteration cubes the error of t: what remains is below 2^-66.
  const lack = a - top * t - (square - top) * t;
  const root = t + t * (lack / (3 * (square * t) + lack));
  return x < 0 ? -root : root;
}

/** Scales tiny and huge numbers. Zeros, infinities and NaN are their own roots. */
function unusual(x: number, a: number): number {
  if (!(a > 0 && a < Infinity)) return x;
  return a < 1 ? cbrt(x * UP) / UP_ROOT : cbrt(x / UP) * UP_ROOT;
}
