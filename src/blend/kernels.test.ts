import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hermite, hermiteAll, lerp, lerpAll, lerpAngle, lerpAngleAll, nlerp, slerp, snap } from "./index.js";

/** The same random cases in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const finite = fc.double({ min: -4e307, max: 4e307, noNaN: true });
const part = fc.double({ min: 0, max: 1, noNaN: true });
const TURN = 2 * Math.PI;

describe("lerp", () => {
  test("is exact at both ends, and at rest, even in the sign of zero", () => {
    fc.assert(
      fc.property(finite, finite, part, (a, b, t) => {
        expect(lerp(a, b, 0) === a && lerp(a, b, 1) === b).toBe(true);
        expect(lerp(a, a, t)).toBe(a);
      }),
    );
    expect(lerp(-0, -0, 0.3)).toBe(-0);
    expect(lerp(Infinity, Infinity, 0.3)).toBe(Infinity);
  });

  test("reaches the end where a + (b - a) * t misses it", () => {
    const [a, b] = [-0.3, 0.1];
    const usual = (t: number) => a + (b - a) * t;
    expect(usual(1)).toBe(0.10000000000000003);
    expect(lerp(a, b, 1)).toBe(0.1);
  });

  test("is monotonic for 300,000 random pairs of times, even around t = 0.5", () => {
    const random = randoms(1);
    const turns: string[] = [];
    for (let i = 0; i < 300_000; i++) {
      const a = (random() - 0.5) * 2 ** (random() * 60 - 30);
      const b = (random() - 0.5) * 2 ** (random() * 60 - 30);
      const t = i % 2 ? random() : 0.5 - 2 ** -54 * Math.ceil(4 * random());
      const u = i % 2 ? t + (1 - t) * random() : 0.5;
      const [x, y] = [lerp(a, b, t), lerp(a, b, u)];
      if (b > a ? !(a <= x && x <= y && y <= b) : !(a >= x && x >= y && y >= b))
        turns.push(`lerp(${a}, ${b}, ${t}) = ${x}, then ${y} at ${u}`);
    }
    expect(turns).toEqual([]);
  });

  test("extrapolates for t > 1", () => {
    expect([lerp(1, 3, 1.5), lerp(1, 3, 2)]).toEqual([4, 5]);
  });

  test("does not return a finite number if the difference overflows", () => {
    expect(lerp(-1e308, 1e308, 0.25)).toBe(Infinity);
  });
});

describe("lerpAngle", () => {
  test("takes the shorter arc, even across ±π", () => {
    expect(lerpAngle(3, -3, 0.5)).toBeCloseTo(-Math.PI, 12);
    expect(lerpAngle(0.1, TURN - 0.1, 0.25)).toBeCloseTo(0.05, 12);
    expect(lerpAngle(-3, 3, 0.25)).toBeCloseTo(-3 - (TURN - 6) / 4, 12);
  });

  test("is exact at both ends and at rest, and stays within the shorter arc after many turns", () => {
    const angle = fc.double({ min: -1e4, max: 1e4, noNaN: true });
    fc.assert(
      fc.property(angle, angle, part, (a, b, t) => {
        expect(lerpAngle(a, b, 0) === a && lerpAngle(a, b, 1) === b).toBe(true);
        expect(lerpAngle(a, a, t)).toBe(a);
        const away = (from: number) => Math.abs(Math.asin(Math.sin((lerpAngle(a, b, t) - from) / 2)) * 2);
        const arc = away(a) + away(b);
        expect(arc).toBeLessThanOrEqual(Math.PI + 1e-9);
        expect(away(a)).toBeCloseTo(arc * t, 6);
      }),
    );
  });

  test("keeps the direction of angles a thousand turns apart, near the nearer end", () => {
    const far = 1000 * TURN + 0.2;
    expect(lerpAngle(0, far, 0.25)).toBeCloseTo(0.05, 9);
    expect(lerpAngle(0, far, 0.75)).toBeCloseTo(far - 0.05, 9);
  });
});

describe("quaternions", () => {
  const about = (angle: number) => Float64Array.of(0, 0, Math.sin(angle / 2), Math.cos(angle / 2));
  const out = new Float64Array(4);

  test.each([slerp, nlerp])(
    "%o is exact at both ends, even if they are denormalized or opposite",
    (blend) => {
      const a = about(1).map((value) => value * 1.001);
      for (const b of [about(2).map((value) => value * 1.002), about(2).map((value) => -value), about(1)]) {
        expect([...blend(out, a, b, 0)]).toEqual([...a]);
        expect([...blend(out, a, b, 1)]).toEqual([...b]);
      }
      expect([...blend(out, a, a, 0.3)]).toEqual([...a]);
    },
  );

  test.each([slerp, nlerp])("%o has the sign of the nearer end", (blend) => {
    const [a, b] = [about(1), about(1.5).map((value) => -value)];
    expect([blend(out, a, b, 0.25)[3]! > 0, blend(out, a, b, 0.75)[3]! > 0]).toEqual([true, false]);
    expect(2 * Math.atan(out[2]! / out[3]!)).toBeCloseTo(1.375, 3);
  });

  test("slerp rotates at constant speed along the shorter arc", () => {
    const halves = [0.25, 0.5, 0.75].map((t) => {
      const [, , z, w] = slerp(out, about(0.5), about(2.5), t);
      return 2 * Math.atan2(z!, w!);
    });
    expect(halves[0]).toBeCloseTo(1, 14);
    expect(halves[1]).toBeCloseTo(1.5, 14);
    expect(halves[2]).toBeCloseTo(2, 14);
  });

  test.each([1e-3, 1e-5, 1e-8, 1e-12, 0])(
    "two quaternions at an angle of %d are blended precisely",
    (angle) => {
      for (const blend of [slerp, nlerp]) {
        const [, , z, w] = blend(out, about(1), about(1 + angle), 0.5);
        expect(2 * Math.atan2(z!, w!)).toBeCloseTo(1 + angle / 2, 15);
      }
    },
  );

  test("half a turn and a full turn keep unit length", () => {
    for (const blend of [slerp, nlerp])
      for (const angle of [Math.PI, TURN, TURN - 1e-9, 3 * Math.PI])
        for (let t = 0; t <= 1; t += 1 / 64)
          expect(Math.hypot(...blend(out, about(0), about(angle), t))).toBeCloseTo(1, 14);
  });

  test("nlerp is within 0.0013° of slerp for steps of 10°", () => {
    let worst = 0;
    const b = about(Math.PI / 18);
    for (let t = 0; t <= 1; t += 1 / 256) {
      const [, , z, w] = nlerp(out, about(0), b, t);
      worst = Math.max(worst, Math.abs(2 * Math.atan2(z!, w!) - (Math.PI / 18) * t));
    }
    expect((worst * 180) / Math.PI).toBeLessThan(0.0013);
    expect((worst * 180) / Math.PI).toBeGreaterThan(0.0012);
  });

  test("zero quaternions stay zero, without NaN", () => {
    expect([...slerp(out, new Float64Array(4), new Float64Array(4), 0.5)]).toEqual([0, 0, 0, 0]);
    expect([...nlerp(out, new Float64Array(4), about(0), 0.5)]).toEqual([0, 0, 0, 1]);
  });
});

describe("hermite", () => {
  test("follows a thrown ball exactly between two states", () => {
    const height = (time: number) => 5 + 3 * time - 4.9 * time * time;
    const speed = (time: number) => 3 - 9.8 * time;
    for (let t = 0; t <= 1; t += 1 / 16)
      expect(hermite(height(1), height(1.5), speed(1), speed(1.5), 0.5, t)).toBeCloseTo(
        height(1 + t / 2),
        13,
      );
  });

  test("is exact at both ends and at rest", () => {
    expect([hermite(0.1, 0.7, 3, -2, 0.1, 0), hermite(0.1, 0.7, 3, -2, 0.1, 1)]).toEqual([0.1, 0.7]);
    expect(hermite(-0.3, 0.1, 3, -2, 0.1, 1)).toBe(0.1);
    expect(hermite(0.1, 0.1, 0, 0, 0.1, 0.3)).toBe(0.1);
  });
});

describe("batches", () => {
  const random = randoms(2);
  const numbers = () => Array.from({ length: 64 }, () => 20 * random() - 10);

  test.each([Float64Array, Float32Array])("equal single calls, in %o", (type) => {
    const [a, b, va, vb] = [numbers(), numbers(), numbers(), numbers()].map((list) => new type(list)) as [
      Float64Array,
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    const expected = (blend: (i: number) => number) =>
      new type(Array.from({ length: 64 }, (_, i) => blend(i)));
    const out = new type(64);
    expect(lerpAll(out, a, b, 0.3)).toEqual(expected((i) => lerp(a[i]!, b[i]!, 0.3)));
    expect(lerpAngleAll(out, a, b, 0.3)).toEqual(expected((i) => lerpAngle(a[i]!, b[i]!, 0.3)));
    expect(hermiteAll(out, a, b, va, vb, 0.1, 0.3)).toEqual(
      expected((i) => hermite(a[i]!, b[i]!, va[i]!, vb[i]!, 0.1, 0.3)),
    );
    for (const blend of [slerp, nlerp]) {
      const all = blend(new type(64), a, b, 0.3);
      for (let i = 0; i < 64; i += 4)
        expect(blend(new type(4), a.subarray(i, i + 4), b.subarray(i, i + 4), 0.3)).toEqual(
          all.subarray(i, i + 4),
        );
    }
  });

  test("blend only count values, and may write to one of their inputs", () => {
    const a = Float64Array.of(0, 0, 0);
    expect([...lerpAll(a, a, Float64Array.of(2, 4, 6), 0.5, 2)]).toEqual([1, 2, 0]);
  });
});

describe("snap", () => {
  test("rounds to the nearest pixel, halves up, and never returns -0", () => {
    expect([0.4, 0.5, -0.5, -0.4, -0.6, 7].map((x) => snap(x))).toEqual([0, 1, 0, 0, -1, 7]);
    expect([snap(7, 4), snap(5.9, 4), snap(0.3, 0.25)]).toEqual([8, 4, 0.25]);
  });

  test("rounds a sprite and a camera at a distance of whole pixels alike", () => {
    const random = randoms(3);
    const gaps = new Set<number>();
    for (let i = 0; i < 100_000; i++) {
      const a = Math.round(random() * 4000) / 2;
      const b = a + Math.round(random() * 20) / 2;
      const t = Math.round(random() * 10) / 10;
      gaps.add(snap(lerp(a, b, t)) - snap(lerp(a - 160.1, b - 160.1, t) + 0.1));
    }
    expect([...gaps]).toEqual([160]);
  });
});
