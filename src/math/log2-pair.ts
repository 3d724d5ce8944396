import { highWord, powerOfTwo } from "./bits.js";
import { LOW } from "./pair.js";

// log2(x) = n + log2(c) + log2((1 + s) / (1 - s)), s = (m - c) / (m + c), x = 2^n m, c = 1 or 3 / 2. The scheme and the
// polynomial, accurate to 2^-69, are those of fdlibm's e_pow.c. Singles replace its numbers with a low word of zero.
const L1 = 5.99999999999994648725e-1;
const L2 = 4.28571428578550184252e-1;
const L3 = 3.33333329818377432918e-1;
const L4 = 2.72728123808534006489e-1;
const L5 = 2.30660745775561754067e-1;
const L6 = 2.06975017800338417784e-1;
// 2 / (3 ln 2), a single, and the rest.
const CP = 0.9617966939259756;
const CP_HIGH = 0.9617967009544373;
const CP_LOW = -7.028461650952758e-9;
// log2(3 / 2), 22 bits, and the rest.
const LOG2_C = 0.5849626064300537;
const LOG2_C_LOW = -1.0570889752948376e-7;

/** log2(x × 2^more) as a pair, accurate to 2^-67, whose high part is a single; for a positive normal x. */
export function log2Pair(x: number, more: number): number {
  const high = highWord(x);
  const fraction = high & 0xfffff;
  // From √1.5 to √3, m is nearest to 1.5; above √3, half of m is nearest to 1.
  const up = +(fraction >= 0xbb67a);
  const isMiddle = +(fraction > 0x3988e) - up;
  const e = (high >> 20) - 1023 + up;
  return log2From(x * powerOfTwo(-e), e + more, isMiddle);
}

/** n + log2(m), from log2(1) or, in the middle, log2(3 / 2). */
function log2From(m: number, n: number, isMiddle: number): number {
  const c = 1 + 0.5 * isMiddle;
  const log2c = LOG2_C * isMiddle;
  const u = m - c;
  const v = 1 / (m + c);
  const s = u * v;
  const sh = Math.fround(s);
  const dh = Math.fround(m + c);
  const dl = m - (dh - c);
  const sl = v * (u - sh * dh - sh * dl);

  const s2 = s * s;
  const sh2 = sh * sh;
  const r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6))))) + sl * (sh + s);
  const th = Math.fround(3 + sh2 + r);
  const tl = r - (th - 3 - sh2);
  // (s + s³ / 3 + ...) × 3, then times 2 / (3 ln 2).
  const a = sh * th;
  const b = sl * th + tl * s;
  const ph = Math.fround(a + b);
  const pl = b - (ph - a);
  const zh = CP_HIGH * ph;
  const zl = CP_LOW * ph + pl * CP + LOG2_C_LOW * isMiddle;
  const result = Math.fround(zh + zl + log2c + n);
  LOW[0] = zl - (result - n - log2c - zh);
  return result;
}
