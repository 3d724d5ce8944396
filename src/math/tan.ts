import { LOW, quotient } from "./pair.js";
import { reduce, REST } from "./reduce.js";
import { cosineLow, sineLow } from "./sine.js";

/** The tangent of an angle in radians: sine over cosine, both as pairs. Errs by less than 0.98 ulp. */
export function tan(x: number): number {
  // So small, it is its own tangent; and so is -0.
  if (Math.abs(x) < 1e-8) return x;
  const n = reduce(x);
  const r = REST[0]!;
  const t = REST[1]!;
  const s = sineLow(r, t);
  const c = cosineLow(r, t);
  let nh = r + s;
  let nl = r - nh + s;
  const w = 1 - 0.5 * (r * r);
  let dh = w + c;
  let dl = w - dh + c;
  if (n & 1) {
    const sh = nh;
    const sl = nl;
    nh = -dh;
    nl = -dl;
    dh = sh;
    dl = sl;
  }
  return quotient(nh, nl, dh, dl) + LOW[0]!;
}
