import { LOW, squareLow, sum, upper } from "./pair.js";

// 2^600 and 2^-600.
const UP = 4.149515568880993e180;
const DOWN = 2.409919865102884e-181;

/**
 * Returns the length of a vector of two or three numbers, without overflow or underflow on the way. Infinite if one of
 * them is, even if another is NaN. Error below 0.76 ulp; below 0.51 for normal results.
 */
export function hypot(x: number, y: number, z = 0): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const c = Math.abs(z);
  const total = a + b + c;
  if (!(total < 1e150 && total > 1e-130)) return unusual(a, b, c, total);
  const aa = a * a;
  const bb = b * b;
  let square = aa + bb;
  const part = square - aa;
  let low = aa - (square - part) + (bb - part) + squareLow(a, aa) + squareLow(b, bb);
  if (c > 0) {
    const cc = c * c;
    square = sum(square, cc);
    low += LOW[0]! + squareLow(c, cc);
  }
  const r = Math.sqrt(square);
  const top = upper(r);
  return r + (square - top * top - (r - top) * (r + top) + low) * (0.5 / r);
}

/** `hypot` where squares would overflow or underflow. */
function unusual(a: number, b: number, c: number, total: number): number {
  if (a === Infinity || b === Infinity || c === Infinity) return Infinity;
  // NaN, or zeros.
  if (!(total > 0)) return total;
  // The sum of the three may have overflowed, but none of them did.
  const by = total > 1 ? DOWN : UP;
  return hypot(a * by, b * by, c * by) * (total > 1 ? UP : DOWN);
}
