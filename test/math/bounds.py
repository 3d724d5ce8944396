#!/usr/bin/env python3
"""Derives the maximum error of each function of tickwise/math, and writes test/math/bounds.json.

    apt install gappa sollya
    python3 test/math/bounds.py              # all functions; some minutes
    python3 test/math/bounds.py tan sinh     # only prints these

How it works. Each function ends in one rounded sum, fl(high + low), where high + low is close to the exact value f. If
that unrounded sum is off by at most e, the result is off by at most

    0.5 ulp(f) + e.

This also holds where f lies just below a power of two and the sum above it: the sum then rounds to the power of two,
which is between both. So e must be bounded. It has these parts:

- rounding inside low: Gappa bounds it, for the lines of the source, on small cells of the argument. It compares each
  line with the same line without roundings. The constants are read from the source.
- the polynomial against the function that it approximates: Sollya's `supnorm`, which is certified.
- terms that the formula omits, and errors of its inputs: bounded by hand, below, where they are added.

Then e is divided by the ulp of the smallest result of the cell. The largest quotient over all cells is the bound.
"EXACT" marks a step that needs no rounding, with the reason. u is 2^-53; hu(x) is half an ulp of x.
"""
import json, math, os, re, subprocess, sys
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "../../src/math")
U = 2.0**-53
INF = math.inf
# Covers the rounding of Python's floats in the sums below, and the terms that comments call negligible.
SLACK = 1 + 2.0**-20


def hu(x):
    """Half an ulp of numbers up to x: the maximum rounding error of one of them."""
    return math.ulp(math.nextafter(abs(x), 0)) / 2


def constants(file):
    with open(os.path.join(SOURCE, f"{file}.ts"), encoding="utf8") as source:
        found = re.findall(r"const (\w+) = (-?[\d.]+(?:e[+-]?\d+)?);", source.read())
    return {name: float(value) for name, value in found}


# --- Sollya ---------------------------------------------------------------------------------------------------------


def supnorm(poly, function, low, high, kind="relative"):
    """The maximum error of a polynomial, given as {power: coefficient}, as an approximation of a function of x."""
    terms = " + ".join(f"({coefficient.hex()}) * x^{power}" for power, coefficient in poly.items())
    text = f"prec = 200!; s = supnorm({terms}, {function}, [{low}; {high}], {kind}, 2^-5); print(round(sup(s), D, RU)); quit;"
    out = subprocess.run(["sollya", "--warnonstderr"], input=text, capture_output=True, text=True, check=True)
    return float(out.stdout.strip().split("\n")[-1])


# Where a relative error begins. Below, with x^2 < 2^-20, it is less than 2^-65: the leading terms are the same, and the
# first other coefficient differs from that of the Taylor series by less than 2^-45.
FIRST = "1b-10"


def powers(names, source, first, stride, leading):
    return {**leading, **{first + stride * i: source[name] for i, name in enumerate(names)}}


# --- Gappa ----------------------------------------------------------------------------------------------------------

WORD = re.compile(r"(?<![\w.])[a-zA-Z_]\w*")
pool = ThreadPoolExecutor(os.cpu_count())


def program(code, values):
    """Converts lines `name = expression` to Gappa, each also without rounding, as M_name. Constants become their exact values."""
    lines, made = ["@rnd = float<ieee_64, ne>;", "@single = float<ieee_32, ne>;"], set()
    for line in filter(None, map(str.strip, code.strip().split("\n"))):
        name, expression = (part.strip() for part in line.split("=", 1))
        expression = WORD.sub(lambda m: f"({values[m[0]].hex()})" if m[0] in values else m[0], expression)
        model = WORD.sub(lambda m: f"M_{m[0]}" if m[0] in made else m[0], expression)
        lines += [f"{name} rnd= {expression};", f"M_{name} = {model};"]
        made.add(name)
    return lines


def gappa(lines, ranges, goals):
    """The maximum distance of each goal from its model, for inputs within these ranges."""
    given = " /\\ ".join(f"{name}_ in [{low.hex()}, {high.hex()}]" for name, (low, high) in ranges.items())
    wanted = " /\\ ".join(f"|{goal} - M_{goal}| in ?" for goal in goals)
    # Inputs are doubles: so Gappa knows that half of one is exact, for example.
    inputs = [f"{name} = rnd({name}_);" for name in ranges]
    text = "\n".join([*lines[:2], *inputs, *lines[2:], f"{{ {given} -> {wanted} }}"])
    out = subprocess.run(["gappa"], input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    found = re.findall(r"\|(\w+) - M_\w+\| in \[0, (\d+)(?:b(-?\d+))?", out.stdout)
    if len(found) != len(goals):
        raise RuntimeError(f"Gappa proves no bound:\n{text}\n{out.stdout}")
    bounds = {goal: math.ldexp(int(m), int(e or 0)) for goal, m, e in found}
    return [bounds[goal] for goal in goals]


def cells(low, high, count):
    """Splits a range into equal parts."""
    edges = [low + (high - low) * i / count for i in range(count)] + [high]
    return list(zip(edges, edges[1:]))


def binades(low, high, count=12, fine=3):
    """Splits a positive range into parts, a fixed number per binade; only 2 in binades more than `fine` below the last."""
    parts, top = [], high
    while top > low:
        bottom = max(low, 2.0 ** (math.frexp(top)[1] - 1), low)
        bottom = bottom if bottom < top else max(low, top / 2)
        parts += cells(bottom, top, count if bottom * 2**fine >= high else 2)
        top = bottom
    return parts


def mirrored(parts):
    return parts + [(-high, -low) for low, high in parts]


def run(task, parts):
    return list(pool.map(lambda part: task(*part), parts))


class Worst:
    """Collects the maximum error in ulp, and its location."""

    def __init__(self):
        self.error, self.at, self.lock = 0.5, None, Lock()

    def add(self, error, least, at, floor=0.0):
        """Adds an error on a cell whose smallest absolute result is about this, and not below `floor`."""
        inUlp = 0.5 + error * SLACK / math.ulp(max(abs(least) * (1 - 2.0**-40), floor))
        with self.lock:
            if inUlp > self.error:
                self.error, self.at = inUlp, at


# --- Sine and cosine of a reduced angle: sine.ts --------------------------------------------------------------------

# The rest x + y of reduce.ts. |x| <= pi / 4, and a bit for the rounding of n; for |y| see `rest_low`. The rest is right to
# 2^-66, and to 2^-59 of itself:
# - |x| > 2^-7: n P1 is EXACT (20 + 33 bits), and so is x - n P1 (the two are close). P1_REST is off by 2^-87, n < 2^20 of
#   it by 2^-67; the product w < 2^-13 is off by hu(w) <= 2^-67. a - r - w is EXACT, as |w| < |a| (Dekker).
# - below: n P2 and n P3 are EXACT. If |b| < 2^-13, so is b: a and n P2 are multiples of 2^-66. Else what LOW - n P3
#   loses is 2^-103. What is left off is below 2^-135 + 2^-53 |y|, and |x| > 2^-65 for all x < 2^21.
# - reduceHuge: 144 bits after the point, of which no more than 62 are lost. Then a few roundings of the low part.
# sinDegrees and the like: the angle less whole quarters is EXACT (a multiple of the ulp of the angle, and not
# greater); its product with a pair is right to 2^-100. For tiny angles see `turned`.
REDUCED = 0.7855


def rest_low(x):
    """|y| of a rest in radians: hu(x), but in reduceHuge also hu(high) pi / 2, with high <= 1/2, and x 0.35 u."""
    return hu(x) + 1.5708 * hu(min(0.5, x / 1.5707)) + 0.35 * U * x


def turned_low(x):
    """|y| in angles.ts: hu(x), and x 0.35 u for the low part of the unit."""
    return hu(x) + 0.36 * U * x


def reduction(x):
    """The error of the rest, for a rest of x."""
    return min(2.0**-59 * x, 2.0**-66)



SINE_CODE = """
z = x * x
w = z * z
v = z * x
r = S2 + z * (S3 + z * S4) + z * w * (S5 + z * S6)
low = v * S1 - (z * (0.5 * y - v * r) - y)
"""
COSINE_CODE = """
z = x * x
half = 0.5 * z
w = z * z
r = z * (C1 + z * (C2 + z * C3)) + w * w * (C4 + z * (C5 + z * C6))
low = e + (z * r - x * y)
"""


def sine(worst, low):
    c = constants("sine")
    near = supnorm(powers(["S1", "S2", "S3", "S4", "S5", "S6"], c, 3, 2, {1: 1.0}), "sin(x)", FIRST, REDUCED)
    lines = program(SINE_CODE, c)

    def cell(a, b):
        y = low(b)
        (error,) = gappa(lines, {"x": (a, b), "y": (-y, y)}, ["low"])
        # sin(x + y) = sin x + y cos x: of cos x, 1 - x^2 / 2 is taken.
        worst.add(error + near * b + y * b**4 / 24 + reduction(b), math.sin(a), ("sine", a, b))

    # Below 2^-28 nothing counts but y, by hu(y).
    run(cell, binades(2.0**-28, REDUCED))


def cosine(worst, low):
    c = constants("sine")
    near = supnorm(powers(["C1", "C2", "C3", "C4", "C5", "C6"], c, 4, 2, {0: 1.0, 2: -0.5}), "cos(x)", 0, REDUCED, "absolute")
    lines = program(COSINE_CODE, c)

    def cell(a, b):
        y = low(b)
        # e = (1 - w) - half, where w = fl(1 - half), is EXACT (Dekker): high + low = 1 - half - e + low.
        error = sum(gappa(lines, {"x": (a, b), "y": (-y, y), "e": (-U / 2, U / 2)}, ["low", "half"]))
        # cos(x + y) = cos x - y sin x: of sin x, x is taken.
        worst.add(error + near + y * b**3 / 6 + reduction(b) * b, math.cos(b), ("cosine", a, b))

    run(cell, cells(0.0, REDUCED, 64))


quarters = {}


def both(worst, low=rest_low):
    # Either of the two is taken, by the quarter.
    if low not in quarters:
        quarters[low] = Worst()
        sine(quarters[low], low)
        cosine(quarters[low], low)
    worst.error, worst.at = quarters[low].error, quarters[low].at


def turned(worst):
    """
    sinDegrees and the like. Of tiny angles, the product is scaled up, rounded, and scaled down: rounded twice. In the first
    binade of the subnormal numbers, an ulp of 53 bits is half an ulp: that makes 0.75.
    """
    both(worst, turned_low)
    worst.error = max(worst.error, 0.75 + 2.0**-40)


# --- tan.ts ---------------------------------------------------------------------------------------------------------

TAN_CODE = """
z = h * h
w = z * z
poly = P0 + z * P1 + w * (P2 + z * P3) + w * w * (P4 + z * P5 + w * (P6 + z * P7 + w * P8))
low = l + z * (l + h * poly)
"""
TAN_MOST = 0.3928


def tan(worst):
    c = constants("tan")
    near = supnorm(powers([f"P{i}" for i in range(9)], c, 3, 2, {1: 1.0}), "tan(x)", FIRST, TAN_MOST)
    lines = program(TAN_CODE, c)

    def tangent(a, b, l):
        """The error of T = tan(h + l) for h from a to b."""
        (error,) = gappa(lines, {"h": (a, b), "l": (-l, l)}, ["low"])
        # tan(h + l) = tan h + l (1 + tan^2 h): of tan^2 h, h^2 is taken.
        return error + near * math.tan(b) + l * (math.tan(b) ** 2 - b * b) + 4 * U * l

    def add(error, low, high, at):
        # The quotient of the pairs: q has 26 bits, and the remainder is EXACT but for a last rounding. That and the three
        # of the low part, which is below 2^-25 of the result, cost less than 2^-74 of it.
        worst.add(error + 2.0**-74 * high, low, at)

    def cell(a, b):
        # No quarter of pi was subtracted.
        error = tangent(a, b, rest_low(b)) + reduction(b) * 1.18
        low, high = math.tan(a), math.tan(b)
        add(error, low, high, ("T", a, b))
        add(error / low**2, 1 / high, 1 / low, ("1 / T", a, b))
        # One was: r - k pi / 4 is EXACT (the two are within a factor of 2), and the low part of pi / 4 goes to l.
        error = tangent(a, b, rest_low(0.7855) + 3.07e-17) + reduction(1) * 1.18
        # (1 + T) / (1 - T), for either sign of T; the other two eighths are these, negated.
        for s, t in ((low, high), (-high, -low)):
            add(2 * error / (1 - t) ** 2, (1 + s) / (1 - s), (1 + t) / (1 - t), ("(1 + T) / (1 - T)", s, t))

    # Below 2^-28, T is h and 1 / T is 1 / h; else it is beside 1.
    run(cell, binades(2.0**-28, TAN_MOST, 24))


# --- asin.ts, acos.ts -----------------------------------------------------------------------------------------------

ASIN_LOW = """
w = z * z
u = w * w
lo = P0 + z * P1 + w * (P2 + z * P3)
mid = P4 + z * P5 + w * (P6 + z * P7)
hi = P8 + z * P9 + w * (P10 + z * P11 + w * P12)
part = z * (lo + u * (mid + u * hi))
"""
# pi / 2 - (the pair of doubles) is below 2^-106.
HALF_PI_LOW = constants("asin")["HALF_PI_LOW"]
PI_LOW = constants("acos")["PI_LOW"]


def asin_near(c):
    poly = powers([f"P{i}" for i in range(13)], c, 3, 2, {1: 1.0})
    return supnorm(poly, "asin(x)", FIRST, 0.5)


def asin_small(code, goal, worst, value):
    """asin and acos of |x| < 1/2: x + x part, and what code adds."""
    c = constants("asin-low")
    near = asin_near(c)
    lines = program("z = x * x" + ASIN_LOW + code, {**c, "HPL": HALF_PI_LOW})

    def cell(a, b):
        # acos: e, what fl(pi / 2 - x) loses, is EXACT (Dekker).
        (error,) = gappa(lines, {"x": (a, b), "e": (-(2.0**-52), 2.0**-52)}, [goal])
        worst.add(error + near * math.asin(max(abs(a), abs(b))), min(value(a), value(b), key=abs), ("small", a, b))

    return cell


def asin_large(code, worst, value, most):
    """asin and acos of |x| from 1/2 to 1, by 2 asin(sqrt(z)), z = (1 - |x|) / 2, which is EXACT."""
    c = constants("asin-low")
    near = asin_near(c)
    lines = program(ASIN_LOW + code, {**c, "HPL": HALF_PI_LOW, "PL": PI_LOW})

    def cell(a, b):
        # The root as a pair, right to 2^-100: high, and l, which is hu(high) at most.
        low, high = 2 * math.sqrt(a), 2 * math.sqrt(b)
        l = hu(high)
        (error,) = gappa(lines, {"z": (a, b), "high": (low, high), "l": (-l, l), "e": (-most, most)}, ["out"])
        # (high + l) (1 + part): l part is left out.
        angle = 2 * math.asin(high / 2)
        error += near * angle + l * (angle / high - 1) + 2.0**-100
        worst.add(error, min(value(a), value(b), key=abs), ("large", a, b))

    return cell


def asin(worst):
    run(asin_small("low = x * part", "low", worst, math.asin), binades(2.0**-27, 0.5))
    # pi / 2 - high is off by e, which is EXACT (Dekker).
    code = "out = e - (l + high * part - HPL)"
    run(asin_large(code, worst, lambda z: math.pi / 2 - 2 * math.asin(math.sqrt(z)), U), binades(2.0**-12, 0.25))


def acos(worst):
    run(asin_small("out = e - (x * part - HPL)", "out", worst, math.acos), mirrored(cells(0.0, 0.5, 24)))
    double = lambda z: 2 * math.asin(math.sqrt(z))
    run(asin_large("out = l + high * part", worst, double, U), binades(2.0**-27, 0.25))
    code = "out = e - (l + high * part - PL)"
    run(asin_large(code, worst, lambda z: math.pi - double(z), 2.0**-52), binades(2.0**-12, 0.25))
    # Smaller z: high part is below 2^-13 high, and costs less than above.


# --- atan.ts, atan2.ts ----------------------------------------------------------------------------------------------

ATAN_CODE = """
z = t * t
w = z * z
u = w * w
lo = A0 + z * A1 + w * (A2 + z * A3)
mid = A4 + z * A5 + w * (A6 + z * A7)
hi = A8 + z * A9 + w * A10
low = t * z * (lo + u * (mid + u * hi))
out = e + (cl - low)
"""
ATAN_MOST = 0.4376


def atan_near(c):
    poly = powers([f"A{i}" for i in range(11)], {k: -v for k, v in c.items()}, 3, 2, {1: 1.0})
    return supnorm(poly, "atan(x)", FIRST, ATAN_MOST)


def atan_rows(worst, rows, count, axis=False):
    """
    C +- atan(t), t = (p x - q) / (p + q x), for each of the rows (p, q, C, sign, from, to). Without C, t is x itself; or, beside
    the axis of x in atan2, t is rounded, and its 26 upper bits and the remainder are right to 2^-77.
    """
    c = constants("atan-low")
    near = atan_near(c)
    lines = program(ATAN_CODE, c)

    def cell(p, q, base, sign, a, b):
        t0, t1 = (float(p * c - q) / (p + q * c) for c in (a, b))
        most, least = max(abs(t0), abs(t1)), 0 if t0 < 0 < t1 else min(abs(t0), abs(t1))
        # p x - q is EXACT: 0 or x, or both products are within a factor of two. The denominator is rounded once, or twice
        # if q = 3; then t is.
        denominator = 0 if q == 0 else U if q < 2 else 2 * U
        off = most * denominator * (1 + U) + hu(most)
        # e, what fl(C + t) loses, is EXACT (Dekker: |t| <= |C|); without C it is 0. C is a pair, right to 2^-104.
        e, cl = hu(base + most), 2.3e-16
        if base == 0:
            # Beside the axis only atanLow sees the t that is rounded; the remainder is added where else the low part of C is.
            off = (most**2 / (1 + most**2) * hu(most) + 2.0**-77 * most) if axis else 0
            e, cl = 0.0, (2.0**-26 * most if axis else 0.0)
        t = (min(t0, t1), max(t0, t1))
        (error,) = gappa(lines, {"t": t, "e": (-e, e), "cl": (-cl, cl)}, ["out"])
        error += near * math.atan(most) + off / (1 + least * least) + 2.0**-104
        value = min(base + sign * math.atan(t0), base + sign * math.atan(t1))
        worst.add(error, value, (p, q, base, sign, a, b))

    run(cell, [(*row[:4], a, b) for row in rows for a, b in (binades if row[4] > 0 else cells)(*row[4:], count)])


def atan(worst):
    half, quarter, third = math.atan(0.5), math.pi / 4, math.atan(1.5)
    # Below 1e-8 the result is x. Beyond 1e17, t is as good as 0.
    rows = [(1, 0, 0.0, 1, 2.0**-27, 0.4375), (2, 1, half, 1, 0.4375, 0.6875), (1, 1, quarter, 1, 0.6875, 1.1875)]
    atan_rows(worst, [*rows, (2, 3, third, 1, 1.1875, 2.4375), (0, 1, math.pi / 2, 1, 2.4375, 2.0**57)], 16)


def atan2(worst):
    # By the lesser side over the greater: the sides themselves can be scaled, as nothing over- or underflows.
    rows, pi = [], math.pi
    for base, sign in ((0.0, 1), (pi / 2, -1), (pi, -1), (pi / 2, 1)):
        for p, q, angle, a, b in ((1, 0, 0.0, 0.0, 0.4375), (2, 1, math.atan(0.5), 0.4375, 0.6875), (1, 1, pi / 4, 0.6875, 1.0)):
            if base + angle > 0:
                rows.append((p, q, base + sign * angle, sign, a, b))
    # Here t is rounded, also where it is a / b.
    atan_rows(worst, rows, 16)
    atan_rows(worst, [(1, 0, 0.0, 1, 2.0**-30, 0.4375)], 16, axis=True)
    # Beyond, a / b (which may be subnormal: rounded once) stands for atan(a / b), and 1e-18 / 3 of it are lost; so it is
    # with an angle that a / b is subtracted from.


# --- exp and functions based on it ----------------------------------------------------------------------------------

EXP_CODE = """
z = r * r
q = r + z * (E2 + r * E3 + z * (E4 + r * E5 + z * (E6 + r * E7)))
low = pl + p * q
"""
# ln 2 / 32, and a bit for the rounding of n.
EXP_LAST, EXP_MOST = 0.0216608, 0.021661


def table():
    with open(os.path.join(SOURCE, "powers.ts"), encoding="utf8") as source:
        text = re.search(r"Float64Array\(\[(.*?)\]\)", source.read(), re.S)[1]
    numbers = [float(number) for number in text.split(",") if number.strip()]
    return list(zip(numbers[::2], numbers[1::2]))


def argument(r):
    """The error of r in exp-pair.ts, against x - n ln 2 / 16."""
    # x - n LN2_16 is EXACT: the product has 38 + 15 bits, and is close to x. n REST and what REST lacks are below 2^-82.
    return hu(r) + 2.0**-82


def power_cells(argument_error, count=12):
    """For each of the 16 powers and each cell of r: the power, the bounds of r, and the error of power + low."""
    c = constants("powers")
    near = supnorm(powers([f"E{i}" for i in range(2, 8)], c, 2, 1, {0: 1.0, 1: 1.0}), "exp(x)", -EXP_MOST, EXP_MOST, "absolute")
    lines = program(EXP_CODE, c)

    def cell(p, pl, a, b):
        (error,) = gappa(lines, {"r": (a, b), "p": (p, p), "pl": (pl, pl)}, ["low"])
        r = max(abs(a), abs(b))
        # (p + pl) e^r, where pl (e^r - 1) is left out. The power as a pair is right to 2^-106.
        error += abs(pl) * max(abs(math.expm1(a)), abs(math.expm1(b))) + 2.0**-105
        return (p, a, b, error + p * (near + argument_error(r) * math.exp(b)))

    # The last bit beyond ln 2 / 32 is a cell of its own.
    half = [*cells(0.0, EXP_LAST, count), (EXP_LAST, EXP_MOST)]
    return run(cell, [(p, pl, a, b) for p, pl in table() for a, b in mirrored(half)])


exp_cells_cache = []


def exp_cells():
    if not exp_cells_cache:
        exp_cells_cache.extend(power_cells(argument))
    return exp_cells_cache


def exp_normal(worst, parts):
    for p, a, b, error in parts:
        worst.add(error, p * math.exp(a), (p, a, b), 1.0 if p * math.exp(a) >= 1 else 0)


def twice(worst):
    """Subnormal results are rounded again, by scale. In their first binade, an ulp of 53 bits is half an ulp."""
    worst.at = (f"{worst.error:.5f} where results are normal, at", *worst.at)
    worst.error = 0.5 + 0.5 * worst.error


def exp(worst):
    exp_normal(worst, exp_cells())
    twice(worst)


EXPM1_CODE = """
z = x * x
w = z * z
lo = E2 + x * E3 + z * (E4 + x * E5)
hi = E6 + x * E7 + z * (E8 + x * E9) + w * E10
low = z * (lo + w * hi)
"""


def expm1_cells():
    """Cells of |x| <= 0.18: a, b, and the error of low."""
    c = constants("expm1-low")
    poly = powers([f"E{i}" for i in range(2, 11)], c, 2, 1, {1: 1.0})
    near = max(supnorm(poly, "expm1(x)", FIRST, 0.1801), supnorm(poly, "expm1(x)", -0.1801, "-1b-10"))
    lines = program(EXPM1_CODE, c)

    def cell(a, b):
        (error,) = gappa(lines, {"x": (a, b)}, ["low"])
        return a, b, error + near * max(abs(math.expm1(a)), abs(math.expm1(b)))

    # Below 2^-28, low is half of an ulp of x at most, and right to 2^-50 of itself.
    return run(cell, mirrored(binades(2.0**-28, 0.1801)))


def scaled_cells(low, high):
    """The cells of exp(x) for x from low to high: 2^k, the power, r, the error, and the minimum and maximum of the low part."""
    for k in range(math.floor(low / math.log(2)) - 1, math.ceil(high / math.log(2)) + 1):
        for p, a, b, error in exp_cells():
            x = k * math.log(2) + math.log(p)
            if x + b > low and x + a < high:
                yield 2.0**k, p, a, b, error, p * max(abs(math.expm1(a)), abs(math.expm1(b))) + 2.0**-53


def less_one(low, high):
    """e^x - 1 as whole + (LOW + low): the bounds of its value, and the error."""
    for power, p, a, b, error, part in scaled_cells(low, high):
        v0, v1 = power * p * math.exp(a) - 1, power * p * math.exp(b) - 1
        # whole + LOW is EXACT (Knuth), LOW <= hu(whole); it is added to the low part.
        rest = hu(max(abs(v0), abs(v1)) + power * part)
        yield (a, b, power, p), v0, v1, error * power + hu(rest + part * power)


def expm1(worst):
    for a, b, error in expm1_cells():
        worst.add(error, min(math.expm1(a), math.expm1(b), key=abs), ("small", a, b))
    for low, high in ((0.18, 50.0), (-40.0, -0.18)):
        for at, v0, v1, error in less_one(low, high):
            least = min(abs(v0), abs(v1))
            worst.add(error, max(least, abs(math.expm1(0.18 if low > 0 else -0.18))), at)
    # Beyond 50, e^x stands for e^x - 1, and is less than 2^-72 of it off. Below -40, -1 is off by 4.3e-18.


SINH_CODE = """
z = x * x
w = z * z
lo = P0 + z * P1 + w * (P2 + z * P3)
hi = P4 + z * P5 + w * (P6 + z * P7)
low = x * z * (lo + w * w * hi)
"""


def inverse(p, a, b, error, power):
    """e^-x 2^-k = 2^-2k / (e + low), and its error: the sum and the quotient are rounded. 2^-2k is EXACT."""
    least, most = p * math.exp(a), p * math.exp(b)
    least = 1.0 if power == 1 and least < 1 else least
    by = power**-2.0
    return by / least, by * ((error + hu(most)) / least**2 * (1 + 2.0**-50) + hu(1 / least))


def sinh(worst):
    c = constants("sinh")
    near = supnorm(powers([f"P{i}" for i in range(8)], c, 3, 2, {1: 1.0}), "sinh(x)", FIRST, 1)
    lines = program(SINH_CODE, c)

    def cell(a, b):
        (error,) = gappa(lines, {"x": (a, b)}, ["low"])
        worst.add(error + near * math.sinh(b), math.sinh(a), ("small", a, b))

    run(cell, binades(2.0**-28, 1.0, 64, 1))
    # Scaled by 2^(1 - k), which is exact: power + fl(low - inverse).
    for power, p, a, b, error, part in scaled_cells(1.0, 40.0):
        most, off = inverse(p, a, b, error, power)
        worst.add(error + off + hu(part + most), p * math.exp(a) - most, (power, p, a, b))
    # From 40 on the inverse is below 2^-115: as exp.
    exp_normal(worst, exp_cells())


def cosh(worst):
    # Scaled likewise: sum = fl(power + inverse), whose loss is EXACT (Dekker: power >= 1 >= inverse), and the low part.
    for power, p, a, b, error, part in scaled_cells(0.0, 40.0):
        if power * p * math.exp(b) < 1:
            continue
        most, off = inverse(p, a, b, error, power)
        value = p * math.exp(a) + power**-2.0 / (p * math.exp(b))
        worst.add(error + off + hu(part + hu(p + most)), value, (power, p, a, b), 2 / power)
    exp_normal(worst, exp_cells())


def tanh(worst):
    """N / (2 + N), N = e^2x - 1, as pairs. The quotient costs less than 2^-74 of it, as in tan."""

    def add(at, n0, n1, error):
        # 2 / (2 + N)^2 is how the quotient depends on N.
        worst.add(2 * error / (2 + n0) ** 2 + 2.0**-74 * min(n1, 1), n0 / (2 + n0), at)

    for a, b, error in expm1_cells():
        if a >= 0:
            add(("small", a, b), math.expm1(a), math.expm1(b), error + hu(math.expm1(b)) * 2.0**-50)
    for at, v0, v1, error in less_one(0.18, 40.0):
        add(at, max(v0, math.expm1(0.18)), v1, error)
    # From 20 on, 1 is off by 2^-56.7.


# --- Logarithms -----------------------------------------------------------------------------------------------------

# x = 2^k (1 + f), where f is EXACT (1 + f is within a factor of two of 1).
F_LEAST, F_MOST = -0.2928936, 0.4142133
# half = fl(f^2 / 2) is off by hu(half), of which half - s half keeps 1 - s: it is an input here, and this is added.
LOG_LOW = """
s = f / (2 + f)
z = s * s
w = z * z
r = z * (L1 + w * (L3 + w * (L5 + w * L7))) + w * (L2 + w * (L4 + w * L6))
t = s * (half + r)
"""


def log_near(c):
    poly = powers([f"L{i}" for i in range(1, 8)], c, 3, 2, {})
    function = "log((1 + x) / (1 - x)) - 2 * x"
    return supnorm(poly, function, FIRST, 0.1716), supnorm(poly, function, FIRST, 0.1716, "absolute")


def log_off(near, f):
    """The error of the polynomial, for log(1 + f) - 2 s, s = f / (2 + f): by its relative or its absolute error."""
    relative, absolute = near
    return min(relative * abs(math.log1p(f) - 2 * f / (2 + f)) * 1.01, absolute)


def halves(a, b):
    """The range of half on a cell, and its rounding error."""
    least, most = sorted((0.5 * a * a, 0.5 * b * b))
    return (least * (1 - U), most * (1 + 2 * U)), hu(most) * (1 - a / (2 + a))


def f_cells(low, high, count=8):
    if low > 0 or high < 0:
        return cells(low, high, count)
    parts = binades(2.0**-28, high, count) if high > 0 else []
    # Below 2^-28, f^2 / 2 is half of an ulp of f at most, and right to 2^-50 of itself.
    return parts + ([(-b, -a) for a, b in binades(2.0**-28, -low, count)] if low < 0 else [])


LN2 = math.log(2)


def log_cells(worst, scale, low, high, rest, ks, count=8):
    """
    log1p-pair.ts, and log.ts, which is the same without rest: f + 2^-k rest is what is left of 2^k. What is neglected of the
    rest: 1 / (1 + f) as a series of four terms, and squares.
    """
    c = constants("log-low")
    near = log_near(c)
    ln2_rest = constants("ln2")["LN2_REST"]
    # Where there is no rest or no k, adding 0 is EXACT.
    codes = {
        (False, 0): "out = half - t",
        (False, 1): "out = half - (t + kl)",
        (False, 2): "out = e - (half - (t + kl))",
        (True, 0): "out = half - (t + rest * (1 - f * (1 - f * (1 - f))))",
        (True, 1): "out = half - (t + rest * (1 - f * (1 - f * (1 - f))) + kl)",
        (True, 2): "out = e - (half - (t + rest * (1 - f * (1 - f * (1 - f))) + kl))",
    }
    lines = {key: program(LOG_LOW + code, c) for key, code in codes.items()}

    def cell(k, a, b):
        f = max(abs(a), abs(b))
        m = rest(k, a, b)
        off = max(log_off(near, a), log_off(near, b)) + m * f**4 / (1 + min(a, b)) + m * m
        values = [math.log1p(x) + k * LN2 for x in (a, b)]
        half, half_off = halves(a, b)
        off += half_off
        inputs = {"f": (a, b), "half": half, **({"rest": (-m, m)} if m > 0 else {})}
        if k != 0:
            # k LN2_HIGH is EXACT (11 + 33 bits), and so is what adding f to it loses (Dekker). For k = 1 or -1 that is 0: f is a
            # multiple of 2^-52, or of 2^-53 if it is negative, and the sum is below 1 then, else below 2.
            e = hu(abs(k) * LN2 + f)
            if abs(k) > 1:
                inputs["e"] = (-e, e)
            inputs["kl"] = (k * ln2_rest, k * ln2_rest) if abs(k) < 3 else (-1100 * ln2_rest, 1100 * ln2_rest)
            # LN2_REST is off by 2^-87, and its product is rounded.
            off += 1100 * 2.0**-87 + hu(1100 * ln2_rest)
        (error,) = gappa(lines[m > 0, min(abs(k), 2)], inputs, ["out"])
        worst.add(scale * (error + off), scale * min(values, key=abs), (k, a, b))

    run(cell, [(k, a, b) for k in ks for a, b in (f_cells(low, high, count) if k == 0 else edge_cells(low, high))])


def edge_cells(low, high, count=10):
    # Results are smallest, and errors largest, where f is.
    width = (high - low) / 40
    return cells(low, low + width, 2) + cells(low + width, high - width, count) + cells(high - width, high, 2)


# From 3 on, the result is at least 1.6, and the same errors count less and less: one k stands for all, with the greatest
# k LN2_REST. What e takes grows with the result.
KS = (1, -1, 2, -2, 3, -3)


def log(worst):
    log_cells(worst, 1, F_LEAST, F_MOST, lambda k, a, b: 0.0, (0, *KS))


def log1p(worst):
    log_cells(worst, 1, -0.29, 0.41, lambda k, a, b: 0.0, (0,))
    shifted(worst, 1, lambda k, a, b: 0.0, KS, 0.0)


def shifted(worst, scale, low, ks, low0):
    """
    log1pPair where fl(1 + h) was taken apart. What that sum loses is EXACT (Knuth); low is |l| of the pair, scaled, and low0
    where k is 0, for h from 0.41 to the root of 2.
    """
    rest = lambda k, a, b: hu(1 + max(a, b)) + low(k, a, b)
    log_cells(worst, scale, F_LEAST, F_MOST, rest, ks)
    # k may be 0 too. For such h, which are multiples of 2^-54, the sum loses 2^-54; or 2^-53, but then f is an even multiple of
    # 2^-52, and 2 + f is EXACT, which saves twice as much as the rest costs more.
    log_cells(worst, scale, 0.40999, F_MOST, lambda k, a, b: 2.0**-54 + low0, (0,), 2)
    if min(ks) < 0:
        log_cells(worst, scale, F_LEAST, -0.28999, rest, (0,), 2)


UP_KS = (1, 2, 3)


def asinh(worst):
    # u = a + (s - 1), s = sqrt(1 + a^2) as a pair right to 2^-103; s - 1 is EXACT. |l| <= hu(u) + hu(s): with s <= 1 + u,
    # this is twice hu(1 + f) at most, scaled. Where a is from 1/4 to 1/2, u is EXACT: s - 1 is a multiple of 2^-52. log(2a)
    # beyond 1e9 is log.ts, and 2^-61 off.
    log_cells(worst, 1, 0.0, 0.41, lambda k, a, b: (0 if a > 0.3 else hu(b)) + hu(1.07), (0,))
    shifted(worst, 1, lambda k, a, b: 2 * hu(1 + max(a, b)), UP_KS, hu(1.07))


def acosh(worst):
    # u = s + (x - 1), s = sqrt(x^2 - 1) as a pair right to 2^-100 of it; x - 1 is EXACT. |l| <= hu(u) + hu(s), s <= u.
    log_cells(worst, 1, 0.0, 0.41, lambda k, a, b: 2 * hu(b), (0,))
    shifted(worst, 1, lambda k, a, b: 2 * hu(1 + max(a, b)), UP_KS, 2.0**-54)


def atanh(worst):
    # 2a / (1 - a) as a tidy pair, right to 2^-74 of it, of which log1p makes no more than 1 / (1 + h): |l| <= hu(h).
    # Halving is EXACT. 2^-74 h / (1 + h) <= 2^-73 log1p(h): 2^-21 ulp, which SLACK and rounding up cover.
    log_cells(worst, 0.5, 0.0, 0.41, lambda k, a, b: hu(b) + 2.0**-74 * b, (0,))
    shifted(worst, 0.5, lambda k, a, b: hu(1 + max(a, b)) + 2.0**-74, UP_KS, 2.0**-55 + 2.0**-74)


def log_base(worst, per, per_rest, base, unit_rest, ks):
    """log2.ts and log10.ts: high = the single nearest to f - half; d = f - high - half; then pairs of both factors."""
    c = constants("log-low")
    near = log_near(c)
    code = LOG_LOW + "low = d + t\nl = (low + high) * PR + low * P"
    # log2 has no kl (the text of log10.ts adds it in the same order); without k, adding 0 is EXACT.
    more = {False: "\nout = l", True: "\nout = e + l" if unit_rest == 0 else "\nout = e + (l + kl)"}
    lines = {key: program(code + text, {**c, "P": per, "PR": per_rest}) for key, text in more.items()}
    scale = 1 / math.log(base)

    def cell(k, a, b):
        f = max(abs(a), abs(b))
        # f - high is EXACT (the two are within a factor of two), and so is d, or it is rounded by 2^-25 u f. The single has 29
        # bits of 1 / log(base) as its factor: EXACT.
        d = 2.0**-25 * f * 1.5 + hu(f)
        high = (min(a, b) - f * f, max(a, b))
        unit = abs(unit_rest)
        whole = math.log(2) * scale
        # k + h, or k log10(2) (40 + 11 bits: EXACT) + h; what this loses is EXACT.
        half, half_off = halves(a, b)
        inputs = {"f": (a, b), "half": half, "d": (-d, d), "high": high}
        if k != 0:
            e = hu(abs(k) * whole + f * scale)
            inputs["e"] = (-e, e)
            if unit_rest != 0:
                inputs["kl"] = (k * unit_rest, k * unit_rest) if abs(k) < 3 else (-1100 * unit, 1100 * unit)
        (error,) = gappa(lines[k != 0], inputs, ["out"])
        # high + d is f - half with half as rounded; PR is rounded; k unit_rest is, and unit_rest is.
        off = half_off * per * 1.0001 + 2.0**-25 * U * f + f * hu(per_rest) * 1.01
        off += max(log_off(near, a), log_off(near, b)) * scale + (0 if k == 0 else hu(1100 * unit) + 1100 * hu(unit))
        values = [math.log1p(x) * scale + k * whole for x in (a, b)]
        worst.add(error + off, min(values, key=abs), (k, a, b))

    run(cell, [(k, a, b) for k in ks for a, b in (f_cells(F_LEAST, F_MOST) if k == 0 else edge_cells(F_LEAST, F_MOST))])


def log2(worst):
    c = constants("log2")
    log_base(worst, c["PER_LN2"], c["PER_LN2_REST"], 2, 0.0, (0, *KS))


def log10(worst):
    c = constants("log10")
    log_base(worst, c["PER_LN10"], c["PER_LN10_REST"], 10, c["LOG10_2_REST"], (0, *KS))


# --- pow.ts ---------------------------------------------------------------------------------------------------------

LOG2_CODE = """
v = 1 / (m + c)
s = d * v
s2 = s * s
r = s2 * s2 * (L1 + s2 * (L2 + s2 * (L3 + s2 * (L4 + s2 * (L5 + s2 * L6)))))
"""
# s = (m - c) / (m + c), for m / c up to the root of 1.5.
S_MOST = 0.10103


def log2_error():
    """
    The relative error of log2-pair.ts. Of 3 + s^2 + r, all but r is a pair that is EXACT: sh has 24 bits, so that its square
    and its products with singles are exact; th - 3 - sh^2 is, too. sl is off by 2^-75 s, the rounded products and sums of low
    parts by less than 2^-73 of the result in all. So the error of r, over 3, is what counts, whether or not log2(c) and n
    are added: then the result is at least 0.292, and s at most S_MOST.
    """
    c = constants("log2-pair")
    poly = powers([f"L{i}" for i in range(1, 7)], c, 5, 2, {})
    function = "3 * atanh(x) - 3 * x - x^3"
    relative, absolute = (supnorm(poly, function, "1b-8", S_MOST, kind) for kind in ("relative", "absolute"))
    lines = program(LOG2_CODE, c)

    def cell(a, b):
        errors = []
        # m - c is EXACT. Around 1 and around 3 / 2, for either sign of s.
        for c in (1.0, 1.5):
            for s, t in ((a, b), (-b, -a)):
                m = [c * (1 + x) / (1 - x) for x in (s, t)]
                errors += gappa(lines, {"d": (m[0] - c, m[1] - c), "m": tuple(m), "c": (c, c)}, ["r"])
        r = 3 * math.atanh(b) / b - 3 - b * b
        # r + sl (sh + s) is rounded once more, and sl (sh + s) is off by 2^-78.
        return (max(errors) + hu(r + 2.0**-23 * b * b) + 2.0**-78 + min(relative * r, absolute / a)) / 3

    # Below 2^-8, r is less than 2^-32, and right to 16 u.
    return (max(run(cell, cells(0.02, 0.09, 7) + cells(0.09, S_MOST, 12) + cells(2.0**-8, 0.02, 4))) + 2.0**-73) * SLACK


def pow(worst):
    # Where results are normal, |y log2(x)| is at most 1024. Products and sums of low parts cost 2^-65.
    of_log2 = 1024 * log2_error() + 2.0**-65
    ln2 = constants("pow")["LN2"]

    def argument(r):
        # high - n / 16 is EXACT (48 bits, close to each other). The sum with low is rounded, and its product with LN2, which
        # itself is off by 2.4e-17.
        rest = r / LN2
        return LN2 * (of_log2 + hu(rest)) + rest * 2.4e-17 + hu(r)

    assert abs(ln2 - LN2) == 0
    exp_normal(worst, power_cells(argument))
    twice(worst)


# --- By hand --------------------------------------------------------------------------------------------------------


def cbrt_rough():
    """The minimum and maximum of rough^3 / a. Three octaves repeat: eight times the number has twice the rough root."""
    import struct

    single = lambda x: struct.unpack("<f", struct.pack("<i", struct.unpack("<i", struct.pack("<f", x))[0] // 3 + 709958130))[0]
    bias = int(constants("cbrt")["THIRD_OF_BIAS"])
    double = lambda x: struct.unpack("<d", struct.pack("<q", (struct.unpack("<q", struct.pack("<d", x))[0] >> 32) // 3 + bias << 32))[0]
    # Both rise with a. A single is off by 2^-24.
    least, most = INF, 0
    for rough in (single, double):
        for e in (1.0, 2.0, 4.0):
            for a, b in cells(e, 2 * e, 4096):
                least = min(least, rough(a) ** 3 / b * (1 - 2.0**-20))
                most = max(most, rough(b) ** 3 / a * (1 + 2.0**-20))
    return least, most


def cbrt(worst):
    c = constants("cbrt")
    near = supnorm(powers([f"P{i}" for i in range(5)], c, 0, 1, {}), "x^(-1/3)", *cbrt_rough())
    # t: 23 bits of it, by rounding; the polynomial is rounded a few times.
    e = near + 2.0**-23 + 20 * U
    # Halley's step leaves 2/3 e^3 (for t = 1 + e: e^3 (t + 1) / (2 t^3 + 1)). t^2 is EXACT (46 bits), and so are its upper 26
    # bits and the rest times t, and a less the former (both are close). Seven roundings of a correction below 1.01 e.
    worst.error = 0.5 + (0.7 * e**3 + 7 * U * 1.01 * e) / U
    worst.at = (f"t is right to 2^{math.log2(e):.1f}",)


def hypot(worst):
    # The sum of squares as a pair is right to 2^-102. Of r + (square - r^2 + low) / 2r, what is rounded before the difference
    # cancels is (r - top) (r + top), below 2^-26 of the square, twice: 2^-79 of r; the rest costs less: 2^-78 in all.
    worst.error = 0.5 + 2.0**-78 / U
    worst.at = ()
    # hypot(...) 2^-600 is rounded again if it is subnormal.
    twice(worst)


def convert(name, factor):
    def bound(worst):
        value = constants("angles")[name].hex()
        text = f"prec = 200!; print(round(abs({value} / ({factor}) - 1), D, RU)); quit;"
        out = subprocess.run(["sollya"], input=text, capture_output=True, text=True, check=True)
        # One product: the error of the factor, and the rounding.
        worst.error = 0.5 + float(out.stdout.strip().split("\n")[-1]) / U
        worst.at = (name,)

    return bound


# --- Which function is made of what ---------------------------------------------------------------------------------

FUNCTIONS = {
    "toRadians": convert("RADIANS_PER_DEGREE", "pi / 180"),
    "toDegrees": convert("DEGREES_PER_RADIAN", "180 / pi"),
    "cbrt": cbrt,
    "hypot": hypot,
    "pow": pow,
    "sin": both,
    "cos": both,
    "sinDegrees": turned,
    "cosDegrees": turned,
    "sinTurns": turned,
    "cosTurns": turned,
    "tan": tan,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "atan2": atan2,
    "log": log,
    "log1p": log1p,
    "log2": log2,
    "log10": log10,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "exp": exp,
    "expm1": expm1,
    "sinh": sinh,
    "cosh": cosh,
    "tanh": tanh,
}


def main(*names):
    derived = {}
    for name in names or FUNCTIONS:
        worst = Worst()
        FUNCTIONS[name](worst)
        derived[name] = math.ceil(worst.error * 1000) / 1000
        print(f"{name:12}{worst.error:.5f}", *(worst.at or ("where it is rounded twice",)), flush=True)
    if not names:
        with open(os.path.join(HERE, "bounds.json"), "w", encoding="utf8") as file:
            file.write(json.dumps(derived, indent=2) + "\n")


main(*sys.argv[1:])
