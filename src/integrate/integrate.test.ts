import { describe, expect, test } from "vitest";
import { exactSpring, spring, START, stepSpring } from "../../scenes/spring.js";
import type { Numbers } from "../blend/index.js";
import {
  explicitEuler,
  explicitEulerColumns,
  rk4,
  rk4Columns,
  semiImplicitEuler,
  semiImplicitEulerColumns,
  velocityVerlet,
  velocityVerletColumns,
  type Acceleration,
  type Accelerations,
  type Motion,
} from "./index.js";

const METHODS = { explicitEuler, semiImplicitEuler, velocityVerlet, rk4 };
type Name = keyof typeof METHODS;
const ORDERS: [Name, number][] = [
  ["explicitEuler", 1],
  ["semiImplicitEuler", 1],
  ["velocityVerlet", 2],
  ["rk4", 4],
];

/** Column steps of each method for one acceleration function. A state holds the positions, then the velocities. */
function columnSteps(length: number, accelerate: Accelerations) {
  const derivative = (out: Numbers, state: Numbers, t: number) => {
    const velocity = state.subarray(length);
    out.set(velocity);
    accelerate(out.subarray(length), state.subarray(0, length), velocity, t);
  };
  const asState =
    (step: (state: Numbers, t: number, dt: number) => void) =>
    (position: Numbers, velocity: Numbers, t: number, dt: number) => {
      const state = Float64Array.of(...position, ...velocity);
      step(state, t, dt);
      position.set(state.subarray(0, length));
      velocity.set(state.subarray(length));
    };
  return {
    explicitEuler: asState(explicitEulerColumns(2 * length, derivative)),
    semiImplicitEuler: semiImplicitEulerColumns(length, accelerate),
    velocityVerlet: velocityVerletColumns(length, accelerate),
    rk4: asState(rk4Columns(2 * length, derivative)),
  };
}

describe("order: how much the error shrinks when dt is halved", () => {
  // The article's damped spring, and a driven one, which depends on time: x = sin t + cos 3t.
  const damped: Acceleration = (x, v) => -10 * x - v;
  const pushed: Acceleration = (x, _v, t) => -9 * x + 8 * Math.sin(t);

  const errorOf = (name: Name, steps: number, motion: Motion, pull: Acceleration, truth: number) => {
    for (let i = 0; i < steps; i++) METHODS[name](motion, pull, (1.5 * i) / steps, 1.5 / steps);
    return Math.abs(motion.position - truth);
  };
  const cases = {
    damped: (name: Name, steps: number) =>
      errorOf(name, steps, { position: START, velocity: 0 }, damped, exactSpring(1.5)),
    pushed: (name: Name, steps: number) =>
      errorOf(name, steps, { position: 1, velocity: 1 }, pushed, Math.sin(1.5) + Math.cos(4.5)),
  };
  test.each(ORDERS)("%s has order %i", (name, order) => {
    for (const [of, error] of Object.entries(cases)) {
      const steps = order === 4 ? 400 : 4000;
      const measured = Math.log2(error(name, steps) / error(name, 2 * steps));
      expect(Math.abs(measured - order), `${of}: ${measured}`).toBeLessThan(0.02);
    }
  });
});

describe("the article's spring", () => {
  test("velocity Verlet returns the same bits as the scene's own code", () => {
    const [scene, motion] = [spring(), { position: START, velocity: 0 }];
    for (let i = 0; i < 1000; i++) {
      stepSpring(scene, 0.01);
      velocityVerlet(motion, (x, v) => -10 * x - v, i * 0.01, 0.01);
    }
    expect([motion.position, motion.velocity]).toEqual([scene.x, scene.v]);
  });

  // Without damping, each step multiplies the energy by exactly 1 + z² for Euler and 1 - z^6 / 72 + z^8 / 576 for RK4,
  // z = dt × √10. The symplectic methods exactly conserve a nearby energy.
  const free: Acceleration = (x) => -10 * x;
  const energyOf = ({ position: x, velocity: v }: Motion) => 10 * x * x + v * v;
  const DT = 1 / 60;
  const z2 = 10 * DT * DT;
  const run = (name: Name, steps: number, watch?: (motion: Motion) => void) => {
    const motion = { position: START, velocity: 0 };
    for (let i = 0; i < steps; i++) {
      METHODS[name](motion, free, i * DT, DT);
      watch?.(motion);
    }
    return energyOf(motion) / (10 * START * START);
  };

  test("explicit Euler gains energy by the predicted factor", () => {
    const gain = run("explicitEuler", 600);
    expect(gain / (1 + z2) ** 600).toBeCloseTo(1, 10);
    expect(gain).toBeGreaterThan(5);
  });

  test("RK4 loses energy by the predicted factor: 0.006 % in an hour", () => {
    const left = run("rk4", 216_000);
    expect(left / (1 - z2 ** 3 / 72 + z2 ** 4 / 576) ** 216_000).toBeCloseTo(1, 8);
    expect(left).toBeCloseTo(0.999936, 6);
  });

  test("the symplectic methods conserve a nearby energy for an hour", () => {
    const nearby = {
      semiImplicitEuler: ({ position: x, velocity: v }: Motion) => 10 * x * x + v * v - 10 * DT * x * v,
      velocityVerlet: ({ position: x, velocity: v }: Motion) => 10 * x * x * (1 - z2 / 4) + v * v,
    };
    for (const name of ["semiImplicitEuler", "velocityVerlet"] as const) {
      const kept = nearby[name]({ position: START, velocity: 0 });
      let [min, max] = [Infinity, 0];
      run(name, 216_000, (motion) => {
        const ratio = nearby[name](motion) / kept;
        min = Math.min(min, ratio);
        max = Math.max(max, ratio);
      });
      expect(max - min, name).toBeLessThan(1e-11);
    }
  });
});

describe("an orbit", () => {
  /** The star has mass 1 and the planet starts at distance 1, so a year is 2π. */
  const pull: Accelerations = (out, position) => {
    const x = position[0]!;
    const y = position[1]!;
    const r2 = x * x + y * y;
    const k = -1 / (r2 * Math.sqrt(r2));
    out[0] = k * x;
    out[1] = k * y;
  };
  const energy = (p: Numbers, v: Numbers) =>
    (v[0]! * v[0]! + v[1]! * v[1]!) / 2 - 1 / Math.sqrt(p[0]! * p[0]! + p[1]! * p[1]!);
  const slopes = (out: Numbers, s: Numbers) => {
    out[0] = s[2]!;
    out[1] = s[3]!;
    const r2 = s[0]! * s[0]! + s[1]! * s[1]!;
    const k = -1 / (r2 * Math.sqrt(r2));
    out[2] = k * s[0]!;
    out[3] = k * s[1]!;
  };
  const STEPS = 100;
  const DT = (2 * Math.PI) / STEPS;

  /** The minimum and maximum relative energy error in the first and the second half of the orbits. */
  function swing(step: ReturnType<typeof velocityVerletColumns>, speed: number, orbits: number) {
    const [p, v] = [Float64Array.of(1, 0), Float64Array.of(0, speed)];
    const start = energy(p, v);
    const parts = [0, 0].map(() => ({ min: Infinity, max: -Infinity }));
    for (let i = 0; i < orbits * STEPS; i++) {
      step(p, v, 0, DT);
      const part = parts[i < (orbits * STEPS) / 2 ? 0 : 1]!;
      const off = energy(p, v) / start - 1;
      part.min = Math.min(part.min, off);
      part.max = Math.max(part.max, off);
    }
    return parts;
  }

  test.each([
    ["semiImplicitEuler", semiImplicitEulerColumns, 0.03],
    ["velocityVerlet", velocityVerletColumns, 0.002],
  ] as const)(
    "%s stays bounded for 10,000 years, and the second half is no wider than the first",
    (_, make, bound) => {
      const [first, last] = swing(make(2, pull), 1.1, 10_000);
      for (const part of [first!, last!]) {
        expect(part.max).toBeLessThan(bound);
        expect(part.min).toBeGreaterThan(-bound);
      }
      expect((last!.max - last!.min) / (first!.max - first!.min)).toBeCloseTo(1, 1);
    },
  );

  test("explicit Euler spirals out as predicted: |E| = (8 + 48 dt t)^(-1/3)", () => {
    const dt = DT / 20;
    const step = explicitEulerColumns(4, slopes);
    const state = Float64Array.of(1, 0, 0, 1);
    for (let i = 0; i < 5 * 20 * STEPS; i++) step(state, 0, dt);
    const time = 5 * 2 * Math.PI;
    const predicted = (8 + 48 * dt * time) ** (-1 / 3);
    const measured = -energy(state.subarray(0, 2), state.subarray(2));
    expect(measured / predicted).toBeCloseTo(1, 2);
    expect(measured).toBeLessThan(0.45);
  });

  test("RK4 loses energy slowly: 32 times less with half the step", () => {
    const lossAt = (divisor: number) => {
      const step = rk4Columns(4, slopes);
      const state = Float64Array.of(1, 0, 0, 1);
      for (let i = 0; i < 100 * STEPS * divisor; i++) step(state, 0, DT / divisor);
      return energy(state.subarray(0, 2), state.subarray(2)) / -0.5 - 1;
    };
    const [coarse, fine] = [lossAt(1), lossAt(2)];
    expect(coarse).toBeGreaterThan(0);
    expect(coarse).toBeLessThan(1e-4);
    expect(Math.log2(coarse / fine)).toBeCloseTo(5, 1);
  });

  test("velocity Verlet is reversible", () => {
    const step = velocityVerletColumns(2, pull);
    const [p, v] = [Float64Array.of(1, 0), Float64Array.of(0, 1.1)];
    for (let i = 0; i < 1234; i++) step(p, v, 0, DT);
    expect(Math.abs(p[0]! - 1)).toBeGreaterThan(0.5);
    for (let i = 0; i < 1234; i++) step(p, v, 0, -DT);
    expect(p[0]).toBeCloseTo(1, 9);
    expect(v[1]).toBeCloseTo(1.1, 9);
  });

  test("no regression: these values change only with a major version", () => {
    const steps = columnSteps(2, pull);
    const places = Object.entries(steps).map(([name, step]) => {
      const [p, v] = [Float64Array.of(1, 0), Float64Array.of(0, 1.1)];
      for (let i = 0; i < 250; i++) step(p, v, 0, DT);
      return [name, p[0], v[1]];
    });
    expect(places).toMatchInlineSnapshot(`
      [
        [
          "explicitEuler",
          0.8681812149823507,
          0.6497427096979584,
        ],
        [
          "semiImplicitEuler",
          -0.45664883644088156,
          -0.13182466118634173,
        ],
        [
          "velocityVerlet",
          -0.5039526973727589,
          -0.1563529160168461,
        ],
        [
          "rk4",
          -0.48349682320893417,
          -0.14422720192422012,
        ],
      ]
    `);
  });
});

describe("columns", () => {
  test.each(Object.keys(METHODS) as Name[])("%s returns the same bits as for single numbers", (name) => {
    const accelerate: Acceleration = (x, v, t) => 3 * t - 10 * x - v / 7;
    const step = columnSteps(3, (out, x, v, t) => {
      for (let i = 0; i < 3; i++) out[i] = accelerate(x[i]!, v[i]!, t);
    })[name];
    const motions = [1, -20, 0.3].map((position) => ({ position, velocity: position / 3 }));
    const position = Float64Array.from(motions, (motion) => motion.position);
    const velocity = Float64Array.from(motions, (motion) => motion.velocity);
    for (let i = 0; i < 500; i++) {
      step(position, velocity, i / 60, 1 / 60);
      for (const motion of motions) METHODS[name](motion, accelerate, i / 60, 1 / 60);
    }
    expect([...position, ...velocity]).toEqual([
      ...motions.map((motion) => motion.position),
      ...motions.map((motion) => motion.velocity),
    ]);
  });

  test.each(Object.keys(METHODS) as Name[])("%s: unwritten accelerations are 0, in every step", (name) => {
    let isFirst = true;
    const step = columnSteps(1, (out) => {
      // Forces can be accumulated.
      if (isFirst) out[0] = out[0]! + 6;
    })[name];
    const [position, velocity] = [Float64Array.of(0), Float64Array.of(0)];
    step(position, velocity, 0, 1);
    expect(velocity[0]).toBe(6);
    isFirst = false;
    step(position, velocity, 1, 1);
    expect(velocity[0]).toBe(6);
  });

  test.each(Object.keys(METHODS) as Name[])("%s: nothing changes if the acceleration throws", (name) => {
    let calls = 0;
    const pull: Accelerations = (out) => {
      out[0] = 1;
      if (++calls % 4 === 0 || (name !== "rk4" && calls % 2 === 0)) throw new Error("no");
    };
    const step = columnSteps(1, pull)[name];
    const [position, velocity] = [Float64Array.of(1), Float64Array.of(2)];
    const try_ = () => step(position, velocity, 0, 1);
    if (name.endsWith("Euler")) try_();
    const before = [position[0], velocity[0]];
    expect(try_).toThrow("no");
    expect([position[0], velocity[0]]).toEqual(before);
  });

  test("Float32Array columns are rounded only when they are stored", () => {
    const step = velocityVerletColumns(1, (out) => void (out[0] = -9.81));
    const [single, double] = [Float32Array.of(0.1), Float64Array.of(Math.fround(0.1))];
    const [v32, v64] = [Float32Array.of(7), Float64Array.of(7)];
    step(single, v32, 0, 1 / 60);
    step(double, v64, 0, 1 / 60);
    expect([single[0], v32[0]]).toEqual([Math.fround(double[0]!), Math.fround(v64[0]!)]);
  });

  test("velocity Verlet and RK4 are exact under constant acceleration, for any dt", () => {
    for (const name of ["velocityVerlet", "rk4"] as const) {
      const motion = { position: 0, velocity: 30 };
      for (let i = 0; i < 8; i++) METHODS[name](motion, () => -10, i / 4, 1 / 4);
      expect(motion).toEqual({ position: 40, velocity: 10 });
    }
  });
});

test.each([semiImplicitEulerColumns, velocityVerletColumns, rk4Columns, explicitEulerColumns])(
  "%s rejects an extra argument",
  (create) => {
    expect(() => Reflect.apply(create, undefined, [3, () => {}, 0.01])).toThrow(
      `${create.name}: takes at most 2 arguments, got 3.`,
    );
  },
);
