#!/usr/bin/env python3
"""Prints the constants of src/math that are split into parts: python3 test/math/constants.py (python3-gmpy2)"""
import gmpy2
from gmpy2 import mpfr

gmpy2.get_context().precision = 1600
pi, ln2, ln10 = gmpy2.const_pi(), gmpy2.const_log2(), gmpy2.log(mpfr(10))


def parts(name, value, *widths):
    """Splits off as many upper bits as each width, then the double nearest to the rest."""
    cut = []
    for width in widths:
        with gmpy2.local_context(gmpy2.context(precision=width, round=gmpy2.RoundToZero)):
            cut.append(mpfr(value))
        value -= cut[-1]
    print(name, *(repr(float(part)) for part in (*cut, value)))


def pair(name, value):
    """The nearest double, and the double nearest to the rest."""
    print(name, repr(float(value)), repr(float(value - mpfr(float(value)))))


parts("reduce.ts: π / 2", pi / 2, 33)
parts("reduce.ts: π / 2", pi / 2, 33, 33, 33)
for name, value in {"2π": 2 * pi, "π": pi, "π / 2": pi / 2, "π / 4": pi / 4, "π / 180": pi / 180, "180 / π": 180 / pi}.items():
    pair(name, value)
pair("octants.ts, atan.ts: atan(1 / 2)", gmpy2.atan(mpfr(1) / 2))
pair("atan.ts: atan(3 / 2)", gmpy2.atan(mpfr(3) / 2))
parts("exp-pair.ts: ln 2 / 16", ln2 / 16, 38)
parts("ln2.ts: ln 2", ln2, 33)
parts("log2.ts: 1 / ln 2", 1 / ln2, 29)
parts("log10.ts: 1 / ln 10", 1 / ln10, 29)
parts("log10.ts: log10(2)", ln2 / ln10, 40)
pair("log2-pair.ts: 2 / (3 ln 2)", 2 / (3 * ln2))
with gmpy2.local_context(gmpy2.context(precision=24)):
    single = mpfr(2 / (3 * ln2))
print("log2-pair.ts: as a single", repr(float(single)), repr(float(2 / (3 * ln2) - single)))
with gmpy2.local_context(gmpy2.context(precision=22)):
    short = mpfr(gmpy2.log2(mpfr(3) / 2))
print("log2-pair.ts: log2(3 / 2)", repr(float(short)), repr(float(gmpy2.log2(mpfr(3) / 2) - short)))
for j in range(16):
    pair(f"powers.ts: 2^({j} / 16)", gmpy2.exp2(mpfr(j) / 16))
digits = int(gmpy2.floor(2 / pi * mpfr(2) ** 1200))
print("reduce-huge.ts: 2 / π", [digits >> 24 * (49 - i) & 0xFFFFFF for i in range(50)])
