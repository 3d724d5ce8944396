// Double-double arithmetic: a pair is a high part and a low part, whose unrounded sum is the number. Functions return
// the high part and store the low part here, which is faster than an object or a closure variable.
export const LOW = /* @__PURE__ */ new Float64Array(1);

/** Splits a double: p = x × SPLITTER, and p - (p - x) is the upper 26 bits of x (Veltkamp 1968, Dekker 1971). */
const SPLITTER = 134217729;

/** Returns a × b - product exactly, if product is a × b rounded and nothing overflows or underflows. */
export function productLow(a: number, b: number, product: number): number {
  const ca = SPLITTER * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = SPLITTER * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}

/** Returns a² - square exactly, under the same conditions. */
export function squareLow(a: number, square: number): number {
  const c = SPLITTER * a;
  const ah = c - (c - a);
  const al = a - ah;
  return al * al - (square - ah * ah - 2 * ah * al);
}

/** Returns a + b as an exact pair, whichever is larger (Knuth). */
export function sum(a: number, b: number): number {
  const s = a + b;
  const b1 = s - a;
  LOW[0] = a - (s - b1) + (b - b1);
  return s;
}

/**
 * Returns (nh + nl) / (dh + dl) as a pair. The high part has only 26 bits, so that the remainder is cheap to compute;
 * where that matters, `tidy` makes the high part the nearest double.
 */
export function quotient(nh: number, nl: number, dh: number, dl: number): number {
  const inverse = 1 / dh;
  const top = upper(dh);
  const q = upper(nh * inverse);
  LOW[0] = (nh - q * top - q * (dh - top) + (nl - q * dl)) * inverse;
  return q;
}

/** Returns the upper 26 bits. */
export function upper(a: number): number {
  const c = SPLITTER * a;
  return c - (c - a);
}

/** Returns h + LOW, rounded, and stores the rounding error in LOW. */
export function tidy(h: number): number {
  const l = LOW[0]!;
  const s = h + l;
  LOW[0] = h - s + l;
  return s;
}

/** Returns the square root of h + l as a pair. */
export function root(h: number, l: number): number {
  const r = Math.sqrt(h);
  const top = upper(r);
  LOW[0] = (h - top * top - (r - top) * (r + top) + l) * (0.5 / r);
  return r;
}
