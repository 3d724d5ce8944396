import { highWord, powerOfTwo } from "./bits.js";
import { productLow } from "./pair.js";

// The first 1200 bits of 2 / π, 24 per number.
const TWO_OVER_PI = [
  10680707, 7228996, 1387004, 2578385, 16069853, 12639074, 9804092, 4427841, 16666979, 11263675, 12935607,
  2387514, 4345298, 14681673, 3074569, 13734428, 16653803, 1880361, 10960616, 8533493, 3062596, 8710556,
  7349940, 6258241, 3772886, 3769171, 3798172, 8675211, 12450088, 3874808, 9961438, 366607, 15675153, 9132554,
  7151469, 3571407, 2607881, 12013382, 4155038, 6285869, 7677882, 13102053, 15825725, 473591, 9065106,
  15363067, 6271263, 9264392, 5636912, 4652155,
];
const BASE = 16777216;
// 2^-48, 2^-96 and 2^-144.
const TO_48 = 3.552713678800501e-15;
const TO_96 = 1.262177448353619e-29;
const TO_144 = 4.484155085839415e-44;
const HALF_PI = 1.5707963267948966;
const HALF_PI_LOW = 6.123233995736766e-17;
/** Digits after the point. No double is closer than 2^-62 to a multiple of π / 2, and a pair needs 100 more bits. */
const DIGITS = 7;

/**
 * `reduce` for any x, by exact multiplication with the relevant bits of 2 / π (Payne and Hanek, 1983). Digits have 24
 * bits and are stored as doubles; x has four of them. Multiples of 2^24 quarter turns are left out.
 */
export function reduceHuge(x: number, rest: Float64Array): number {
  if (!(Math.abs(x) < Infinity)) {
    rest[0] = rest[1] = NaN;
    return 0;
  }
  const most = Math.floor((((highWord(x) >>> 20) & 0x7ff) - 1023) / 24);
  let left = Math.abs(x) * powerOfTwo(-24 * most);
  const x0 = Math.floor(left);
  left = (left - x0) * BASE;
  const x1 = Math.floor(left);
  left = (left - x1) * BASE;
  const x2 = Math.floor(left);
  const x3 = (left - x2) * BASE;

  const digits = [0, 0, 0, 0, 0, 0, 0, 0];
  let carry = 0;
  for (let i = DIGITS; i >= 0; i--) {
    const at = most - 1 + i;
    const column = x0 * digit(at) + x1 * digit(at - 1) + x2 * digit(at - 2) + x3 * digit(at - 3) + carry;
    carry = Math.floor(column / BASE);
    digits[i] = column - carry * BASE;
  }
  const [whole, d1, d2, d3, d4, d5, d6] = digits as [number, number, number, number, number, number, number];
  const up = d1 >= BASE / 2 ? 1 : 0;
  const top = (d1 * BASE + d2) * TO_48 - up;
  const middle = (d3 * BASE + d4) * TO_96;
  const high = top + middle;
  const low = top - high + middle + (d5 * BASE + d6) * TO_144;

  const sign = x < 0 ? -1 : 1;
  const product = high * HALF_PI;
  rest[0] = sign * product;
  rest[1] = sign * (productLow(high, HALF_PI, product) + high * HALF_PI_LOW + low * HALF_PI);
  return sign * (whole + up);
}

function digit(at: number): number {
  return at < 0 ? 0 : TWO_OVER_PI[at]!;
}
