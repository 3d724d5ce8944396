import { reduceHuge } from "./reduce-huge.js";
import { sum, LOW } from "./pair.js";

/** What is left of an angle: high and low part. */
export const REST = /* @__PURE__ */ new Float64Array(2);

const TWO_OVER_PI = 0.6366197723675814;
/** Added and taken away again, it rounds to a whole number. */
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
 * Takes the nearest multiple n of π / 2 from x, leaves the rest in REST, right to 2^-59 of itself, and returns n or
 * a number that differs from it by a multiple of four.
 */
export function reduce(x: number): number {
  if (!(Math.abs(x) < LARGE)) return reduceHuge(x, REST);
  const n = x * TWO_OVER_PI + ROUNDER - ROUNDER;
  const a = x - n * P1;
  const w = n * P1_REST;
  const r = a - w;
  // What P1_REST lacks is n × 2^-87 at most: nothing beside r, unless most of x was taken away.
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
