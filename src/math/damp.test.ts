import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rk4Columns } from "../integrate/index.js";
import { damp, halfLife, random, spring, springAll } from "./index.js";

/** Distance of the first two numbers, in units in the last place of the largest of all. */
const ulps = (a: number, b: number, ...scale: number[]) =>
  Math.abs(a - b) / (2 ** -52 * Math.max(...[a, b, ...scale].map(Math.abs), 1e-300));
const numbers = random(new Uint32Array(4)).seed("damp");
const wide = () => numbers.gaussian() * 2 ** numbers.int(-20, 20);

describe("damp", () => {
  test("two half steps equal one whole step, to 3 units in the last place, in 200,000 random cases", () => {
    let worst = 0;
    for (let i = 0; i < 200_000; i++) {
      const [current, target, rate, dt] = [wide(), wide(), Math.abs(wide()), numbers.float()];
      const halves = damp(damp(current, target, rate, dt / 2), target, rate, dt / 2);
      worst = Math.max(worst, ulps(halves, damp(current, target, rate, dt), current, target));
    }
    expect(worst).toBeLessThan(3);
    expect(worst).toBeGreaterThan(0.5);
  });

  test("is the same at 30, 60, 144 and 1000 frames per second, unlike a constant factor per frame", () => {
    const run = (step: (x: number, dt: number) => number, frames: number) => {
      let x = 0;
      for (let i = 0; i < frames; i++) x = step(x, 1 / frames);
      return x;
    };
    const rates = [30, 60, 144, 1000];
    const ours = rates.map((frames) => run((x, dt) => damp(x, 100, 3, dt), frames));
    for (const x of ours) expect(Math.abs(x - 100 * -Math.expm1(-3))).toBeLessThan(1e-12);
    expect(rates.map((frames) => run((x) => x + (100 - x) * 0.1, frames).toFixed(1))).toEqual([
      "95.8",
      "99.8",
      "100.0",
      "100.0",
    ]);
  });

  test("is exact at both ends", () => {
    const value = fc.double({ min: -1e300, max: 1e300, noNaN: true });
    const rate = fc.double({ min: 0, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(value, value, rate, (a, b, r) => {
        expect(damp(a, b, r, 0) === a && damp(a, b, 0, r) === a).toBe(true);
        expect(damp(a, b, 800, 1) === b && damp(a, b, Infinity, 1) === b).toBe(true);
        expect(damp(a, a, r, 0.1)).toBe(a);
      }),
    );
    expect(damp(-0, 0, 1, 1)).toBe(-0);
    expect(damp(Infinity, Infinity, 1, 1)).toBe(Infinity);
  });

  test("a short step moves by rate × dt of the distance, correctly rounded, and a tiny one not at all", () => {
    expect(damp(1, 2, 1e-17, 1)).toBe(1);
    expect(damp(0, 1, 1e-300, 1)).toBe(1e-300);
    expect(damp(0, 1, 1e-5, 1)).toBe(-Math.expm1(-1e-5));
  });

  test("never overshoots and never moves backwards", () => {
    for (let i = 0; i < 100_000; i++) {
      const [a, b, rate, dt] = [wide(), wide(), 2 * numbers.float(), numbers.float()];
      const soon = damp(a, b, rate, dt);
      const later = damp(a, b, rate, dt * (1 + numbers.float()));
      // The two formulas may differ by a rounding error where they meet.
      const slack = 2 ** -51 * Math.max(Math.abs(a), Math.abs(b));
      const way = Math.sign(b - a);
      const gaps = [(soon - a) * way, (later - soon) * way + slack, (b - later) * way];
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    }
  });

  test("half of the distance is left after a half-life", () => {
    expect(damp(0, 100, halfLife(0.2), 0.2)).toBe(50);
    expect(ulps(damp(0, 100, halfLife(0.2), 0.6), 87.5)).toBeLessThan(2);
  });

  test("returns NaN for NaN, also at the target, for a dt of 0 and for infinite ends", () => {
    const all = [
      [1, 2, 3, 4],
      [5, 5, 3, 4],
      [1, 2, 3, 0],
      [1, Infinity, 800, 1],
      [Infinity, 1, 800, 1],
    ];
    for (const values of all)
      for (let i = 0; i < 4; i++) {
        const [current, target, rate, dt] = values.map((value, at) => (at === i ? NaN : value));
        expect(damp(current!, target!, rate!, dt!)).toBeNaN();
      }
  });

  test("works for ends whose difference overflows, and never overshoots", () => {
    const { MAX_VALUE: MAX } = Number;
    let last = -MAX;
    for (let dt = 0; dt < 4; dt += 1 / 16) {
      const x = damp(-MAX, MAX, 1, dt);
      expect(x >= last && x <= MAX, `${dt}: ${x}`).toBe(true);
      expect(damp(MAX, -MAX, 1, dt)).toBe(-x);
      last = x;
    }
    expect(last / MAX).toBeCloseTo(1 - 2 * Math.exp(-4 + 1 / 16), 12);
    expect(damp(-MAX, MAX, 1, 0)).toBe(-MAX);
    expect(damp(-MAX, MAX, 800, 1)).toBe(MAX);
  });

  test("infinite ends are exact, and a half-life of 0 arrives at once unless dt is 0", () => {
    expect([damp(3, Infinity, 1, 0), damp(3, -Infinity, 0, 1), damp(3, Infinity, 1, 1)]).toEqual([
      3,
      3,
      Infinity,
    ]);
    expect([damp(-Infinity, 3, 800, 1), damp(-Infinity, 3, 1, 1)]).toEqual([3, -Infinity]);
    expect([damp(3, 7, halfLife(0), 1 / 60), damp(3, 7, halfLife(0), 0)]).toEqual([7, 3]);
  });

  test("no regression: these values change only with a major version", () => {
    const motion = spring({ position: 1, velocity: -2 }, 10, 5, 1 / 60);
    const far = spring({ position: 1, velocity: -2 }, 10, 5, 1);
    expect([damp(1, 10, 5, 1 / 60), damp(1, 10, 5, 1), motion, far]).toMatchInlineSnapshot(`
      [
        1.7196002683360907,
        9.93935847700823,
        {
          "position": 0.9988988102097874,
          "velocity": 1.7634184613728698,
        },
        {
          "position": 9.622674968051214,
          "velocity": 1.5699416507869137,
        },
      ]
    `);
  });
});

describe("spring", () => {
  const solved = (x: number, v: number, target: number, rate: number, t: number) => {
    const away = x - target;
    const thrown = v + rate * away;
    const e = Math.exp(-rate * t);
    return { position: target + (away + thrown * t) * e, velocity: (v - rate * thrown * t) * e };
  };
  const cases = Array.from({ length: 2000 }, () => {
    const rate = 0.1 + 20 * numbers.float();
    return {
      x: 100 * numbers.gaussian(),
      v: 300 * numbers.gaussian(),
      target: 100 * numbers.gaussian(),
      rate,
      t: (8 * numbers.float()) / rate,
    };
  });

  test("matches the closed form of the critically damped spring", () => {
    for (const { x, v, target, rate, t } of cases) {
      const motion = spring({ position: x, velocity: v }, target, rate, t);
      const truth = solved(x, v, target, rate, t);
      const size = [x, target, v / rate];
      expect(ulps(motion.position, truth.position, ...size)).toBeLessThan(10);
      expect(ulps(motion.velocity / rate, truth.velocity / rate, ...size)).toBeLessThan(10);
    }
  });

  test("N steps equal one step of N × dt, except for rounding", () => {
    let worst = 0;
    for (const { x, v, target, rate, t } of cases) {
      const once = spring({ position: x, velocity: v }, target, rate, t);
      const often = { position: x, velocity: v };
      for (let i = 0; i < 64; i++) spring(often, target, rate, t / 64);
      worst = Math.max(
        worst,
        ulps(often.position, once.position, x, target, v / rate),
        ulps(often.velocity / rate, once.velocity / rate, x, target, v / rate),
      );
    }
    // A few units in the last place after 64 steps.
    expect(worst).toBeLessThan(40);
  });

  test("matches RK4 with a small step", () => {
    for (const { x, v, target, rate, t } of cases.slice(0, 50)) {
      const step = rk4Columns(2, (out, state) => {
        out[0] = state[1]!;
        out[1] = -2 * rate * state[1]! - rate * rate * (state[0]! - target);
      });
      const state = Float64Array.of(x, v);
      for (let i = 0; i < 2000; i++) step(state, 0, t / 2000);
      const motion = spring({ position: x, velocity: v }, target, rate, t);
      const size = Math.max(Math.abs(x), Math.abs(target), Math.abs(v / rate));
      expect(Math.abs(motion.position - state[0]!) / size).toBeLessThan(1e-9);
      expect(Math.abs(motion.velocity - state[1]!) / (size * rate)).toBeLessThan(1e-9);
    }
  });

  test("never overshoots from rest, and a long step ends exactly at the target", () => {
    const motion = { position: 0, velocity: 0 };
    let last = 0;
    for (let i = 0; i < 2000; i++) {
      spring(motion, 100, 8, 1 / 60);
      expect(motion.position >= last && motion.position <= 100).toBe(true);
      last = motion.position;
    }
    // Steps below the rounding error have no effect.
    expect(ulps(motion.position, 100)).toBeLessThan(4);
    expect(spring({ position: 3, velocity: 500 }, 100, 8, 1e6)).toEqual({ position: 100, velocity: 0 });
    expect(spring({ position: 3, velocity: 500 }, 100, Infinity, 1)).toEqual({ position: 100, velocity: 0 });
  });

  test("4 % of the distance is left after 5 / rate seconds", () => {
    expect(spring({ position: 100, velocity: 0 }, 0, 10, 0.5).position).toBeCloseTo(4.04, 2);
  });

  test("nothing moves at rest or for a dt of 0", () => {
    for (const { x, v, target, rate, t } of cases) {
      expect(spring({ position: target, velocity: 0 }, target, rate, t)).toEqual({
        position: target,
        velocity: 0,
      });
      expect(spring({ position: x, velocity: v }, target, rate, 0)).toEqual({ position: x, velocity: v });
    }
    expect(spring({ position: 3, velocity: 4 }, 7, Infinity, 0)).toEqual({ position: 3, velocity: 4 });
    expect(spring({ position: -0, velocity: 0 }, -0, 1, 1)).toEqual({ position: -0, velocity: 0 });
  });

  test("keeps its velocity at a rate of 0", () => {
    expect(spring({ position: 1, velocity: 2 }, 100, 0, 3)).toEqual({ position: 7, velocity: 2 });
  });

  test("springAll returns the same bits as spring, and changes nothing beyond count", () => {
    for (const dt of [1 / 60, 1]) {
      const position = Float64Array.from(cases, ({ x }) => x);
      const velocity = Float64Array.from(cases, ({ v }) => v);
      const target = Float64Array.from(cases, ({ target: to }) => to);
      const motions = cases.map(({ x, v, target: to }) => spring({ position: x, velocity: v }, to, 7, dt));
      springAll(position, velocity, target, 7, dt, 1000);
      for (const [i, { x, v }] of cases.entries()) {
        const expected = i < 1000 ? motions[i]! : { position: x, velocity: v };
        expect({ position: position[i], velocity: velocity[i] }).toEqual(expected);
      }
    }
  });

  test("columns may share a buffer, but must not overlap", () => {
    const memory = Float64Array.of(1, 2, 3, 4);
    const target = new Float64Array(4);
    springAll(memory, memory.subarray(2), target, 7, 0.1, 2);
    const motion = spring({ position: 1, velocity: 3 }, 0, 7, 0.1);
    expect([memory[0], memory[2]]).toEqual([motion.position, motion.velocity]);
    expect(() => springAll(memory, memory.subarray(1), target, 7, 0.1, 2)).toThrow(
      "springAll: velocity shares memory with position. Try new Float64Array(length).",
    );
  });

  test("returns the motion that it changed", () => {
    const motion = { position: 0, velocity: 0, name: "camera" };
    expect(spring(motion, 1, 1, 1)).toBe(motion);
  });
});
