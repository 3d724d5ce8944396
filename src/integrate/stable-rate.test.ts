import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  explicitEuler,
  rk4,
  semiImplicitEuler,
  semiImplicitEulerColumns,
  stableRate,
  velocityVerlet,
  type Acceleration,
  type IntegratorName,
  type Motion,
} from "./index.js";

const METHODS = { explicitEuler, semiImplicitEuler, velocityVerlet, rk4 };
const NAMES = Object.keys(METHODS) as IntegratorName[];

/** How far a spring of angular frequency 1 has grown after many steps at this rate. */
function growth(name: IntegratorName, rate: number, dampingRatio: number, steps = 20_000): number {
  const pull: Acceleration = (x, v) => -x - 2 * dampingRatio * v;
  const motion: Motion = { position: 1, velocity: 0.3 };
  for (let n = 0; n < steps; n++) {
    METHODS[name](motion, pull, n / rate, 1 / rate);
    if (Math.abs(motion.position) > 1e6) return Infinity;
  }
  return Math.abs(motion.position) + Math.abs(motion.velocity);
}

/** The largest ω·dt that is stable. */
const reach = (name: IntegratorName, dampingRatio = 0) =>
  1 / stableRate(name, { stiffness: 1, damping: 2 * dampingRatio });

describe("without damping, ω·dt must stay below", () => {
  test.each([
    ["explicitEuler", "0.00"],
    ["semiImplicitEuler", "2.00"],
    ["velocityVerlet", "2.00"],
    ["rk4", "2.83"],
  ] as const)("%s: %s", (name, limit) => expect(reach(name).toFixed(2)).toBe(limit));

  test("explicit Euler is unstable at every dt: each step multiplies the energy by 1 + (ω dt)²", () => {
    expect(stableRate("explicitEuler", { stiffness: 1 })).toBe(Infinity);
    for (const rate of [1, 10, 100, 1000]) {
      const motion = { position: 1, velocity: 0 };
      for (let n = 0; n < 100; n++) explicitEuler(motion, (x) => -x, 0, 1 / rate);
      const energy = motion.position ** 2 + motion.velocity ** 2;
      expect(energy / (1 + 1 / rate ** 2) ** 100).toBeCloseTo(1, 9);
    }
  });
});

test("the table in docs/integrators.md has these limits", () => {
  const page = readFileSync(new URL("../../docs/integrators.md", import.meta.url), "utf8");
  const table = page.slice(page.indexOf("| ω·dt below |")).split("\n");
  const ratios = [...table[0]!.matchAll(/\d[.\d]*/g)].map(Number);
  expect(ratios).toEqual([0, 0.1, 0.5, 1, 2]);
  for (const [i, name] of NAMES.entries())
    expect(table[i + 2]).toContain(
      `| \`${name}\` | ${ratios.map((ratio) => reach(name, ratio).toFixed(2)).join(" | ")} |`,
    );
});

const RATIOS = [0, 0.05, 0.1, 0.2887, 0.4, 0.5, 0.55, 0.7, 0.9, 1, 1.2, 2, 5];

/** Each integrator with each damping ratio for which it has a limit. */
const CASES = NAMES.flatMap((name) =>
  RATIOS.map((ratio) => [name, ratio, stableRate(name, { stiffness: 1, damping: 2 * ratio })] as const),
).filter(([, , limit]) => limit < Infinity);

test("only explicit Euler without damping has no limit", () => {
  expect(CASES.length).toBe(NAMES.length * RATIOS.length - 1);
});

test.each(CASES)(
  "%s, damping ratio %d: stable 0.5 percent above the limit, not below",
  (name, ratio, limit) => {
    expect(growth(name, 1.005 * limit, ratio)).toBeLessThan(50);
    expect(growth(name, limit / 1.005, ratio, 1e6)).toBe(Infinity);
  },
);

test.each(CASES)("%s, damping ratio %d: stable at all rates above the limit", (name, ratio, limit) => {
  for (const factor of [1.1, 1.3, 1.7, 2.5, 5])
    expect(growth(name, factor * limit, ratio, 3000), `${factor}`).toBeLessThan(5);
});

describe.each(NAMES)("%s", (name) => {
  test("drag alone has a limit too, and a free body has none", () => {
    const drag = stableRate(name, { stiffness: 0, damping: 30 });
    expect(30 / drag).toBeCloseTo(name === "rk4" ? 2.785293563405282 : 2, 12);
    expect(stableRate(name, { stiffness: 0 })).toBe(0);
  });
});

test("stiffness and mass, or a frequency, describe the same spring", () => {
  const frequency = Math.sqrt(4000 / 5) / (2 * Math.PI);
  for (const name of NAMES) {
    const forces = stableRate(name, { stiffness: 4000, mass: 5, damping: 30 });
    const dampingRatio = 30 / (2 * Math.sqrt(4000 * 5));
    expect(stableRate(name, { frequency, dampingRatio }) / forces).toBeCloseTo(1, 12);
  }
});

test("at half the limit, a spring swings 4.7 % too fast; at a quarter, 1.1 %", () => {
  // sin(ω' dt / 2) = ω dt / 2, for semi-implicit Euler and Verlet.
  const tooFast = (name: "semiImplicitEuler" | "velocityVerlet", factor: number) => {
    const rate = factor * stableRate(name, { stiffness: 1 });
    const motion = { position: 1, velocity: 0 };
    let [crossings, first, last] = [0, 0, 0];
    for (let n = 1; n <= 100_000; n++) {
      const before = motion.position;
      METHODS[name](motion, (x) => -x, 0, 1 / rate);
      if (before < 0 === motion.position < 0) continue;
      if (crossings++ === 0) first = n;
      last = n;
    }
    return (Math.PI * (crossings - 1) * rate) / (last - first) - 1;
  };
  for (const name of ["semiImplicitEuler", "velocityVerlet"] as const) {
    expect((100 * tooFast(name, 2)).toFixed(1)).toBe("4.7");
    expect((100 * tooFast(name, 4)).toFixed(1)).toBe("1.1");
  }
});

describe("many springs", () => {
  /** Whether a chain of bodies between two walls explodes at this rate. */
  function explodes(rate: number): boolean {
    const bodies = 50;
    const step = semiImplicitEulerColumns(bodies, (out, x) => {
      for (let i = 0; i < bodies; i++)
        out[i] = -1000 * (2 * x[i]! - (i > 0 ? x[i - 1]! : 0) - (i < bodies - 1 ? x[i + 1]! : 0));
    });
    const [position, velocity] = [new Float64Array(bodies), new Float64Array(bodies)];
    position[10] = 1;
    for (let n = 0; n < 5000; n++) step(position, velocity, 0, 1 / rate);
    return !position.every((value) => Math.abs(value) < 1000);
  }

  test("a chain needs twice the rate of one spring: both ends of each of them move", () => {
    const single = stableRate("semiImplicitEuler", { stiffness: 1000 });
    // Two springs per body, and neighbours that move the other way: 2 × (1000 + 1000).
    const bound = stableRate("semiImplicitEuler", { stiffness: 4000 });
    expect(bound).toBe(2 * single);
    expect([explodes(1.001 * bound), explodes(0.99 * bound)]).toEqual([false, true]);
  });
});

test("n steps of dt are not one step of n·dt", () => {
  const fall = (name: IntegratorName, steps: number) => {
    const motion = { position: 0, velocity: 0 };
    for (let n = 0; n < steps; n++) METHODS[name](motion, () => -9.81, n / steps, 1 / steps);
    return motion.position;
  };
  expect([1, 30, 60].map((steps) => fall("semiImplicitEuler", steps).toFixed(3))).toEqual([
    "-9.810",
    "-5.068",
    "-4.987",
  ]);
  // Exact for a constant acceleration, so the same.
  for (const name of ["velocityVerlet", "rk4"] as const)
    for (const steps of [1, 30, 60]) expect(fall(name, steps)).toBeCloseTo(-4.905, 12);
});

describe("at the limits of what is accepted", () => {
  test("damping of -0 is no damping", () => {
    for (const name of NAMES) {
      const expected = stableRate(name, { stiffness: 500 });
      expect(stableRate(name, { stiffness: 500, damping: -0 })).toBe(expected);
      const swing = stableRate(name, { frequency: 5 });
      expect(stableRate(name, { frequency: 5, dampingRatio: -0 })).toBe(swing);
      expect(stableRate(name, { stiffness: -0, damping: -0 })).toBe(0);
    }
  });

  test.each(NAMES)("%s: very large and very small springs have the limits of others, scaled", (name) => {
    const same = (rate: number, expected: number) => expect(rate / expected).toBeCloseTo(1, 12);
    same(
      stableRate(name, { stiffness: 1e100, damping: 1e100, mass: 1e-100 }) / 1e200,
      stableRate(name, { stiffness: 0, damping: 1 }),
    );
    same(
      stableRate(name, { frequency: 1e100, dampingRatio: 1e100 }) / 1e200,
      stableRate(name, { stiffness: 0, damping: 4 * Math.PI }),
    );
    for (const frequency of [1e-300, 1e-200, 1e-90, 1e90, 1e100])
      for (const dampingRatio of [0.1, 1, 3])
        same(
          stableRate(name, { frequency, dampingRatio }) / frequency,
          stableRate(name, { frequency: 1, dampingRatio }),
        );
  });

  test("an option that is undefined counts as left out", () => {
    const spring = { stiffness: 5, frequency: undefined, dampingRatio: undefined, mass: undefined };
    expect(stableRate("rk4", spring as never)).toBe(stableRate("rk4", { stiffness: 5 }));
    const swing = { frequency: 5, stiffness: undefined, damping: undefined };
    expect(stableRate("rk4", swing as never)).toBe(stableRate("rk4", { frequency: 5 }));
  });
});

test.each([
  [
    ["euler", { stiffness: 1 }],
    'stableRate: integrator must be one of "explicitEuler", "semiImplicitEuler", "velocityVerlet" and "rk4", got "euler". Try "semiImplicitEuler".',
  ],
  [["toString", { stiffness: 1 }], "stableRate: integrator must be one of"],
  [["rk4"], "stableRate: spring must be an object"],
  [["rk4", null], "stableRate: spring must be an object"],
  [["rk4", { stiffness: -1 }], "stableRate: stiffness must be a number from 0 to"],
  [["rk4", { stiffness: "1" }], "stableRate: stiffness must be a number from 0 to"],
  [["rk4", { stiffness: 1, mass: 0 }], "stableRate: mass must be"],
  [["rk4", { stiffness: 1, damping: NaN }], "stableRate: damping must be"],
  [["rk4", { frequency: Infinity }], "stableRate: frequency must be"],
  [["rk4", { frequency: 1, dampingRatio: -1 }], "stableRate: dampingRatio must be"],
  [["rk4", { frequency: 1, damping: 1 }], "stableRate: unknown option"],
  [["rk4", { stiffness: 1, stifness: 1 }], "stableRate: unknown option"],
  [["rk4", []], "stableRate: options must be an object"],
  [["rk4", {}], "stableRate: stiffness must be a number from 0 to"],
  [["rk4", { frequency: undefined }], "stableRate: frequency must be a number from 0 to"],
  [["rk4", { dampingRatio: 1 }], "stableRate: frequency must be a number from 0 to"],
  [["rk4", { stiffness: 1, dampingRatio: 1 }], 'stableRate: unknown option "dampingRatio"'],
  [["rk4", { stiffness: 1 }, 60], "stableRate: takes at most 2 arguments, got 3."],
])("stableRate(%j) is rejected", (args, message) => {
  expect(() => Reflect.apply(stableRate, undefined, args as unknown[]) as unknown).toThrow(message);
});
