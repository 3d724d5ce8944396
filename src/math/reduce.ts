import { reduceHuge } from "./reduce-huge.js";
import { sum, LOW } from "./pair.js";

/** The reduced angle: its high and low part. */
export const REST = /* @__PURE__ */ new Float64Array(2);

const TWO_OVER_PI = 0.6366197723675814;
/** Adding and subtracting it rounds to a whole number. */
const ROUNDER = 6755399441055744;
// π / 2 = P1 + P1_REST = P1 + P2 + P3 + P3_REST; P1, P2 and P3 have 33 bits, so that a whole number below 2^20 times
// one of them is exact (Cody and Waite; the parts are those of fdlibm's e_rem_pio2.c).
const P1 = 1.5707963267341256;
const P1_REST = 6.077100506506192e-11;
const P2 = 6.077100506303966e-11;
const P3 = 2.0222662487111665e-21;
const P3_REST = 8.4784276603689e-32;
/** About 2^20 × π / 2. */
const LARGE = 1.6e6;

/**
 * Subtracts the nearest multiple n of π / 2 from x and stores the rest in REST, with a relative error of 2^-59. Returns
 * n, or a number that differs from n by a multiple of four.
 */
export function reduce(x: number): number {
  if (!(Math.abs(x) < LARGE)) return reduceHuge(x, REST);
  const n = x * TWO_OVER_PI + ROUNDER - ROUNDER;
  const a = x - n * P1;
  const w = n * P1_REST;
  const r = a - w;
  // The error of P1_REST is at most n × 2^-87: negligible, unless r is much smaller than x.
  if (Math.abs(r) > 0.0078125) {
    REST[0] = r;
    REST[1] = a - r - w;
  } else reduceMore(n, a);
  return n;
}

function reduceMore(n: number, a: number): void {
  const b = sum(a, -n * P2);
  const r = sum(b, LOW[0]! - n * P3);
  REST[0] = r;
  REST[1] = LOW[0]! - n * P3_REST;
}
