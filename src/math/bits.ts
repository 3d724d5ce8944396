// Reads and writes the bits of doubles through typed arrays. Their byte order depends on the machine, so it is
// detected.
const DOUBLE = /* @__PURE__ */ new Float64Array(1);
const WORDS = /* @__PURE__ */ new Uint32Array(DOUBLE.buffer);
const SINGLE = /* @__PURE__ */ new Float32Array(1);
const WORD = /* @__PURE__ */ new Int32Array(SINGLE.buffer);
/** Which of the two words holds sign, exponent and the first 20 bits: 1 on all common machines. */
const HIGH = /* @__PURE__ */ (() => new Uint8Array(Uint16Array.of(1).buffer)[0])()!;

/** The smallest normal number. Below it, doubles have fewer than 53 bits. */
export const LEAST_NORMAL = 2.2250738585072014e-308;

/** Sign, exponent and the first 20 bits of the fraction. */
export function highWord(x: number): number {
  DOUBLE[0] = x;
  return WORDS[HIGH]!;
}

/** The double with this high word, and zeros below. */
export function fromHighWord(high: number): number {
  WORDS[1 - HIGH] = 0;
  WORDS[HIGH] = high;
  return DOUBLE[0]!;
}

/** 2^k, exactly, for k from -1023 to 1023. */
export function powerOfTwo(k: number): number {
  // Common exponents are built as singles: a load is faster if it is as wide as the store before it.
  if (k >= -126 && k <= 127) {
    WORD[0] = (k + 127) << 23;
    return SINGLE[0]!;
  }
  return fromHighWord(k > -1023 ? (k + 1023) << 20 : 0x80000);
}

/** x × 2^k, rounded once if the result is subnormal; k from -2046 to 2046. */
export function scale(x: number, k: number): number {
  if (k >= -126 && k <= 127) {
    WORD[0] = (k + 127) << 23;
    return x * SINGLE[0]!;
  }
  // The first product is exact, as x is neither tiny nor huge here.
  const half = k >> 1;
  return x * powerOfTwo(half) * powerOfTwo(k - half);
}

/**
 * A first guess of the cube root: the single whose bits are about a third of those of x plus two thirds of those of 1
 * (FreeBSD's s_cbrtf.c).
 */
export function thirdOfSingle(x: number): number {
  SINGLE[0] = x;
  WORD[0] = ((WORD[0]! / 3) | 0) + 709958130;
  return SINGLE[0]!;
}

/** Whether the sign bit is set, as in -0. */
export function isNegative(x: number): boolean {
  return x < 0 || (x === 0 && 1 / x < 0);
}
