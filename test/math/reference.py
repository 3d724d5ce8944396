#!/usr/bin/env python3
"""Writes the reference vectors of tickwise/math: difficult arguments, and their results by MPFR.

    apt install python3-gmpy2
    python3 test/math/reference.py test/math/vectors 2500              # the vectors in the repository
    python3 test/math/reference.py .cache/vectors 300000 sin cos       # many more, for a longer search:
    python3 test/math/reference.py .cache/narrow 250000 narrow         # around the worst arguments found
    node test/math/judge.mjs .cache/vectors

A file consists of columns: each argument, the double nearest to the exact value, and the exact value minus that double, as
a signed byte in units of 1/250 ulp. Doubles are little-endian. The ulp is that of the binade of the exact value.
"""
import math, os, random, struct, sys
from array import array
from fractions import Fraction
import gmpy2
from gmpy2 import mpfr

gmpy2.get_context().precision = 160
PI = gmpy2.const_pi(2400)
MAX = sys.float_info.max
TINY = 5e-324
INF = math.inf


def bits(x):
    return struct.unpack("<q", struct.pack("<d", x))[0]


def from_bits(b):
    return struct.unpack("<d", struct.pack("<q", b))[0]


def near(random, *centres):
    """Doubles near one of these: a few, or a few thousand, doubles away."""
    x = random.choice(centres)
    step = random.randint(-8, 8) if random.random() < 0.5 else random.randint(-5000, 5000)
    if x == 0:
        return from_bits(abs(step)) * random.choice([1, -1])
    return from_bits(max(0, min(0x7FEFFFFFFFFFFFFF, bits(abs(x)) + step))) * math.copysign(1, x)


def spread(random, low, high):
    """Uniform in the exponent, from 2^low to 2^high."""
    return math.ldexp(random.uniform(1, 2), random.randint(low, high - 1))


def signed(random, x):
    return x if random.random() < 0.5 else -x


def angle(random):
    kind = random.randrange(8)
    if kind == 0:
        return random.uniform(-10, 10)
    if kind == 1:
        return random.uniform(-0.8, 0.8)
    if kind == 2:
        return signed(random, spread(random, -1074, 0))
    if kind == 3:
        return signed(random, spread(random, 0, 1024))
    if kind == 4:
        return random.uniform(-2e6, 2e6)
    if kind == 5:
        return near(random, 1.6e6, 0.785, 0.7853981633974483, 2e-8, 1e-8, 0, MAX, 6381956970095103 * 2.0**797)
    if kind == 6:
        return signed(random, from_bits(bits(float(random.randint(1, 2**20) * PI / 4)) + random.randint(-2, 2)))
    return signed(random, nearly_quarters(random.randint(-40, 971), random.randrange(2)))


def nearly_quarters(exponent, before):
    """The m × 2^exponent nearest to a multiple of π / 2: a denominator of the continued fraction of 2^exponent × 2 / π."""
    with gmpy2.local_context(gmpy2.context(precision=2400)):
        a, b = int(gmpy2.floor(gmpy2.mul_2exp(2 / PI, exponent + 1300))), 1 << 1300
    found = [1, 0]
    while found[-1] < 2**53:
        whole, rest = divmod(a, b)
        found.append(whole * found[-1] + found[-2])
        a, b = b, rest
    return math.ldexp(found[-2 - before], exponent)


def ranged(low, high, *centres, tiny=-1074, top=None):
    """Numbers within bounds, near zero, and near the centres."""
    top = top if top is not None else high

    def draw(random):
        kind = random.randrange(6)
        if kind < 3:
            return random.uniform(low, high)
        if kind == 3:
            return signed(random, spread(random, tiny, 1)) if low < 0 else spread(random, tiny, 1)
        if kind == 4 and top > 1e300:
            return spread(random, 0, 1024) if low >= 0 else signed(random, spread(random, 0, 1024))
        return near(random, *centres)

    def bounded(random):
        while True:
            x = draw(random)
            if -top <= x <= top and (low < 0 or x >= min(low, 0)):
                return x

    return bounded


def at_least_one(random):
    kind = random.randrange(4)
    if kind == 0:
        return random.uniform(1, 3)
    if kind == 1:
        return spread(random, 0, 1024)
    if kind == 2:
        return 1 + spread(random, -52, 0)
    return max(1.0, near(random, 1, 1.5, 1.4142135623730951, 1e9, 1e300, MAX))


def both(random):
    kind = random.randrange(8)
    if kind < 3:
        return random.uniform(-10, 10), random.uniform(-10, 10)
    if kind == 3:
        return signed(random, spread(random, -1074, 1024)), signed(random, spread(random, -1074, 1024))
    if kind == 4:
        x = signed(random, spread(random, -1074, 1024))
        return x, signed(random, max(min(x * spread(random, -40, 40), MAX), -MAX))
    if kind == 5:
        x = random.uniform(-1, 1)
        return x * random.choice([0.4375, 0.6875, 1, 1e-9, 1e9]), x * (1 + random.randint(-9, 9) * 2.0**-52)
    if kind == 6:
        return near(random, 1, 1e150, 1e-150, MAX, 0), signed(random, near(random, 1, 1e150, 1e-150, MAX, 0))
    return float(random.randint(-99, 99)), float(random.randint(-99, 99))


def base_and_power(random):
    while True:
        kind = random.randrange(8)
        if kind == 0:
            x, y = random.uniform(0, 10), random.uniform(-10, 10)
        elif kind == 1:
            x, y = random.uniform(0.5, 2), random.uniform(-700, 700)
        elif kind == 2:
            # Results of any size, mostly near overflow and underflow.
            x = spread(random, -1074, 1024)
            target = random.choice([random.uniform(-1075, 1024), random.uniform(-1075, -1020), random.uniform(1020, 1024)])
            y = target / math.log2(x) if x != 1 else 1.5
        elif kind == 3:
            x = 1 + random.choice([-1, 1]) * spread(random, -52, -3)
            y = random.uniform(-1075, 1024) / math.log2(x) if x != 1 else 1.5
        elif kind == 4:
            x, y = float(random.randint(-30, 30)), float(random.randint(-80, 80))
        elif kind == 5:
            x, y = spread(random, -1074, 1024), signed(random, spread(random, -1074, 0))
        elif kind == 6:
            x, y = near(random, 1, 2, 1.2247448713915890, 1.7320508075688772, 1e300), random.uniform(-300, 300)
        else:
            x, y = random.uniform(0, 2), random.choice([0.5, 1 / 3, 2.0, 3.0, -1.0, -0.5, 2.2, 1 / 2.2, 0.25])
        if x != 0 and y != 0 and math.isfinite(y) and abs(y) < 1e21:
            return x, y


def three(random):
    x, y = both(random)
    z = random.choice([0.0, random.uniform(-10, 10), max(min(x * spread(random, -3, 3), MAX), -MAX)])
    return x, y, z


def turns(quarter):
    def draw(random):
        kind = random.randrange(5)
        if kind == 0:
            return random.uniform(-8, 8) * quarter
        if kind == 1:
            return signed(random, spread(random, -1074, 0)) * quarter
        if kind == 2:
            return signed(random, spread(random, 0, 60))
        if kind == 3:
            return random.randint(-4000, 4000) * quarter / 8
        return near(random, *(quarter * n / 2 for n in range(1, 9)))

    return draw


def of_quarters(function, quarter):
    """sin or cos of an angle in other units, reduced exactly."""

    def value(x):
        part = Fraction(float(x)) / Fraction(quarter)
        n = round(part)
        rest = part - n
        r = mpfr(rest.numerator) / mpfr(rest.denominator) * PI / 2
        n = (n + (1 if function == "cos" else 0)) % 4
        v = gmpy2.cos(r) if n % 2 else gmpy2.sin(r)
        return -v if n > 1 else v

    return value


SIGNED = ranged(-10, 10, 0, 0.35, -0.35, 1, 1e-8, 0.4375, 0.6875, 1e9, 1e-37, 1e38, 1e300, top=MAX)
LOGS = ranged(
    0, 10, 0, 1, 2, 0.5, 0.7071067811865476, 1.4142135623730951, 10, 1e300, MAX, 2.2250738585072014e-308, top=MAX
)
UNIT = ranged(-1, 1, 0.5, 1, 0, 1e-8, 0.29, 0.17)
FUNCTIONS = {
    "sin": (1, angle, gmpy2.sin),
    "cos": (1, angle, gmpy2.cos),
    "tan": (1, angle, gmpy2.tan),
    "asin": (1, UNIT, gmpy2.asin),
    "acos": (1, UNIT, gmpy2.acos),
    "atan": (1, SIGNED, gmpy2.atan),
    "atan2": (2, both, gmpy2.atan2),
    "exp": (1, ranged(-746, 710, 0, 709.78, -708.4, -745.1, 0.0217, tiny=-60), gmpy2.exp),
    "expm1": (1, ranged(-50, 710, 0, 709.78, 0.18, -0.18, 50, -40, 1, -1), gmpy2.expm1),
    "log": (1, LOGS, gmpy2.log),
    "log1p": (1, ranged(-1, 10, 0, 0.41, -0.29, -1, 1e18, MAX, top=MAX), gmpy2.log1p),
    "log2": (1, LOGS, gmpy2.log2),
    "log10": (1, LOGS, gmpy2.log10),
    "pow": (2, base_and_power, lambda x, y: x**y),
    "cbrt": (1, SIGNED, gmpy2.cbrt),
    "sinh": (1, ranged(-711, 711, 0, 1, 40, 710.4, -710.4), gmpy2.sinh),
    "cosh": (1, ranged(-711, 711, 0, 1, 40, 710.4, -710.4, tiny=-60), gmpy2.cosh),
    "tanh": (1, ranged(-25, 25, 0, 0.09, 1e-8, 20, top=MAX), gmpy2.tanh),
    "asinh": (1, SIGNED, gmpy2.asinh),
    "acosh": (1, at_least_one, gmpy2.acosh),
    "atanh": (1, UNIT, gmpy2.atanh),
    "hypot": (3, three, lambda x, y, z: gmpy2.sqrt(x * x + y * y + z * z)),
    "toRadians": (1, ranged(-720, 720, 90, 180), lambda x: x * PI / 180),
    "toDegrees": (1, ranged(-10, 10, 1.5707963267948966, 0.5), lambda x: x * 180 / PI),
    "sinTurns": (1, turns(0.25), of_quarters("sin", 0.25)),
    "cosTurns": (1, turns(0.25), of_quarters("cos", 0.25)),
    "sinDegrees": (1, turns(90.0), of_quarters("sin", 90)),
    "cosDegrees": (1, turns(90.0), of_quarters("cos", 90)),
}


# Where the largest errors were found: where methods change, or just above a power of two.
NARROW = {
    "acos": [(0.5, 0.56), (-0.5, 0.5), (-0.6, -0.5)],
    "acosh": [(1.04, 1.0875), (1.08, 1.1)],
    "asin": [(0.45, 0.56)],
    "asinh": [(0.33, 0.37), (0.348, 0.356)],
    "atan": [(0.6875, 0.6885), (0.4, 0.4376), (0.5, 0.6875)],
    "atanh": [(0.165, 0.175), (0.16, 0.17)],
    "cbrt": [(0.7, 0.8), (4.8, 5), (1, 8), (0.999, 1), (7.99, 8)],
    "cos": [(0.7853, 0.79), (0.75, 0.785)],
    "cosh": [(0, 0.0217), (0, 0.1), (0.2, 1)],
    "expm1": [(0.17, 0.22), (-0.22, -0.17), (0.15, 0.18)],
    "log": [(1.39, 1.4143), (0.707, 0.72)],
    "log10": [(1.39, 1.4143), (0.707, 0.72)],
    "log1p": [(0.39, 0.4145), (-0.3, -0.28)],
    "log2": [(1.39, 1.4143), (0.707, 0.72), (0.72, 0.78), (1.3, 1.4)],
    "sin": [(3.92, 3.9275), (0.75, 0.7854)],
    "sinh": [(0.85, 1), (0.5, 1)],
    "tan": [(0.74, 0.7854), (0.387, 0.3928), (3.529, 3.5343), (14.9, 15)],
    "tanh": [(0.09, 0.11)],
}


def narrow(ranges):
    return lambda random: random.uniform(*random.choice(ranges))


def judged(true):
    """The nearest double, and the exact value minus it."""
    nearest = float(true)
    if true == 0 or math.isinf(nearest):
        return nearest, 0
    exponent = true.as_mantissa_exp()
    size = exponent[0].bit_length() + int(exponent[1])
    ulp = mpfr(2) ** max(size - 53, -1074)
    return nearest, max(-125, min(125, round(float((true - mpfr(nearest)) / ulp) * 250)))


def main(folder, count, *names):
    os.makedirs(folder, exist_ok=True)
    is_narrow = names == ("narrow",)
    for name in NARROW if is_narrow else names or FUNCTIONS:
        arity, draw, function = FUNCTIONS[name]
        draw = narrow(NARROW[name]) if is_narrow else draw
        seeded = random.Random(f"tickwise {name}")
        columns = [array("d") for _ in range(arity + 1)]
        offsets = array("b")
        while len(offsets) < int(count):
            args = draw(seeded)
            args = args if isinstance(args, tuple) else (args,)
            true = function(*map(mpfr, args))
            if not gmpy2.is_finite(true):
                continue
            nearest, offset = judged(true)
            for column, value in zip(columns, (*args, nearest)):
                column.append(value)
            offsets.append(offset)
        with open(os.path.join(folder, f"{name}.bin"), "wb") as file:
            for column in (*columns, offsets):
                if sys.byteorder == "big":
                    column.byteswap()
                column.tofile(file)


main(*sys.argv[1:])
