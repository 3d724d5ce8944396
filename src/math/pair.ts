// Pairs of doubles: a high part and a low one, whose unrounded sum is the number. A function that makes a pair returns
// its high part and leaves the low one here, where it is quicker than in an object or in a variable of a closure.
export const LOW = /* @__PURE__ */ new Float64Array(1);

/** Times this, and the product less itself less the number, leaves its upper 26 bits (Veltkamp 1968, Dekker 1971). */
const SPLITTER = 134217729;

/** a × b - product, exactly, if product is a × b rounded and nothing over- or underflows. */
export function productLow(a: number, b: number, product: number): number {
  const ca = SPLITTER * a;
  const ah = ca - (ca - a);
  const al = a - ah;
  const cb = SPLITTER * b;
  const bh = cb - (cb - b);
  const bl = b - bh;
  return al * bl - (product - ah * bh - al * bh - ah * bl);
}

/** a² - square, exactly, likewise. */
export function squareLow(a: number, square: number): number {
  const c = SPLITTER * a;
  const ah = c - (c - a);
  const al = a - ah;
  return al * al - (square - ah * ah - 2 * ah * al);
}

/** a + b as a pair, exactly, whichever is greater (Knuth). */
export function sum(a: number, b: number): number {
  const s = a + b;
  const b1 = s - a;
  LOW[0] = a - (s - b1) + (b - b1);
  return s;
}

/**
 * (nh + nl) / (dh + dl) as a pair. The high part has 26 bits, so that it is quickly told what it leaves over; where
 * that matters, `tidy` makes the high part the nearest double.
 */
export function quotient(nh: number, nl: number, dh: number, dl: number): number {
  const inverse = 1 / dh;
  const top = upper(dh);
  const q = upper(nh * inverse);
  LOW[0] = (nh - q * top - q * (dh - top) + (nl - q * dl)) * inverse;
  return q;
}

/** The upper 26 bits. */
export function upper(a: number): number {
  const c = SPLITTER * a;
  return c - (c - a);
}

/** h + LOW, rounded; LOW becomes what rounding took. */
export function tidy(h: number): number {
  const l = LOW[0]!;
  const s = h + l;
  LOW[0] = h - s + l;
  return s;
}

/** The square root of h + l as a pair. */
export function root(h: number, l: number): number {
  const r = Math.sqrt(h);
  const top = upper(r);
  LOW[0] = (h - top * top - (r - top) * (r + top) + l) * (0.5 / r);
  return r;
}
