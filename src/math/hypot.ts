import { LOW, squareLow, sum, upper } from "./pair.js";

// 2^600 and 2^-600.
const UP = 4.149515568880993e180;
const DOWN = 2.409919865102884e-181;

/**
 * The length of a vector of two or three numbers, however small or great. Errs by less than 0.76 ulp; where the
 * result is a normal number, by less than 0.51. Infinite if one of them is, even beside NaN.
 */
export function hypot(x: number, y: number, z = 0): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  const c = Math.abs(z);
  const most = a + b + c;
  if (!(most < 1e150 && most > 1e-130)) return unusual(a, b, c, most);
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

/** The same where squares would over- or underflow. */
function unusual(a: number, b: number, c: number, most: number): number {
  if (a === Infinity || b === Infinity || c === Infinity) return Infinity;
  // NaN, or zeros.
  if (!(most > 0)) return most;
  // The sum of the three may have overflowed; they themselves did not.
  const by = most > 1 ? DOWN : UP;
  return hypot(a * by, b * by, c * by) * (most > 1 ? UP : DOWN);
}
