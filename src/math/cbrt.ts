import { fromHighWord, highWord, LEAST_NORMAL, thirdOfSingle } from "./bits.js";

// A third of the exponent, then a polynomial right to 23 bits, then one step of Newton's: FreeBSD's s_cbrt.c, whose
// constants these are.
const THIRD_OF_BIAS = 715094163;
const P0 = 1.87595182427177009643;
const P1 = -1.88497979543377169875;
const P2 = 1.62142972010535446614;
const P3 = -0.758397934778766047437;
const P4 = 0.145996192886612446982;

/** The cube root. Errs by less than 0.68 ulp. */
export function cbrt(x: number): number {
  const a = Math.abs(x);
  if (!(a >= LEAST_NORMAL && a < Infinity)) {
    // 2^54, whose cube root is 2^18, makes it normal. What is left are zeros, infinities and NaN.
    return a > 0 && a < 1 ? cbrt(x * 18014398509481984) * 3.814697265625e-6 : x;
  }
  const rough =
    a > 1e-37 && a < 1e38 ? thirdOfSingle(a) : fromHighWord(Math.floor(highWord(a) / 3) + THIRD_OF_BIAS);
  const r = rough * rough * (rough / a);
  const near = rough * (P0 + r * (P1 + r * P2) + r * r * r * (P3 + r * P4));
  // Few enough bits that the square is exact. Beyond the singles, a bit pattern would do; a splitter does everywhere: 2^30 + 1.
  const c = near * 1073741825;
  const t = c - (c - near);
  const s = a / (t * t);
  const root = t + t * ((s - t) / (t + t + s));
  return x < 0 ? -root : root;
}
