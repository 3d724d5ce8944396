// Curves: how smooth they are, that they pass no wall, and that they keep arcs.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Loop } from "../index.js";
import {
  angle,
  curve,
  extrapolate,
  hermite,
  hermiteAll,
  hold,
  lerp,
  rotation,
  scalar,
  shift,
  smooth,
  smoothAll,
  smoothColumns,
  teleport,
  teleportOnChange,
  vector2,
} from "./index.js";

/** Draws a motion at 10 steps and 100 frames per second, in all ways, and returns what each shows. */
function drawn(move: (body: { x: number; v: number }, tick: number) => void, start: number, v: number) {
  const body = { x: start, v };
  const columns = { x: Float64Array.of(start), v: Float64Array.of(v) };
  const plain = { x: [start, start] as [number, number], v: [v, v] as [number, number] };
  const loop = new Loop({
    rate: 10,
    step({ tick }) {
      move(body, tick);
      columns.x[0] = body.x;
      columns.v[0] = body.v;
      plain.x = [plain.x[1], body.x];
      plain.v = [plain.v[1], body.v];
    },
  });
  const views = {
    straight: smooth(loop, body, { x: scalar }),
    derived: smooth(loop, body, { x: curve(scalar) }),
    given: smooth(loop, body, { x: curve(scalar, "v") }),
    ahead: smooth(loop, body, { x: curve(scalar, "v") }, { ahead: extrapolate(1) }),
  };
  const rows = {
    derived: smoothColumns(loop, columns, { x: curve(scalar) }),
    given: smoothColumns(loop, columns, { x: curve(scalar, "v") }),
    ahead: smoothColumns(loop, columns, { x: curve(scalar, "v") }, { ahead: extrapolate(1) }),
  };
  const frames = (count: number, seconds = 0.01) =>
    Array.from({ length: count }, () => {
      loop.advance(seconds);
      for (const name of ["derived", "given", "ahead"] as const) expect(rows[name].x[0]).toBe(views[name].x);
      return {
        time: loop.frame.shownTime,
        straight: views.straight.x,
        derived: views.derived.x,
        given: views.given.x,
        ahead: views.ahead.x,
        // The curve without bounds.
        free: hermite(plain.x[0], plain.x[1], plain.v[0], plain.v[1], 0.1, loop.alpha),
      };
    });
  return { body, loop, views, frames };
}

/** Returns by how much a move differs from the one before, at most. */
function maxChange(shown: readonly number[]): string {
  const changes = shown.slice(2).map((x, i) => Math.abs(x - 2 * shown[i + 1]! + shown[i]!));
  return Math.max(...changes).toFixed(3);
}

test("an accelerating body moves as smoothly as the exact motion, ten times as smoothly as on straight lines", () => {
  const { frames } = drawn(
    (body, tick) => Object.assign(body, { x: 50 * ((tick + 1) / 10) ** 2, v: 10 * (tick + 1) }),
    0,
    0,
  );
  const shown = frames(200).slice(70);
  const figures = [
    shown.map(({ straight }) => straight),
    shown.map(({ derived }) => derived),
    shown.map(({ given }) => given),
    shown.map(({ ahead }) => ahead),
    shown.map(({ time }) => 50 * time ** 2),
  ].map(maxChange);
  expect(figures).toEqual(["0.100", "0.010", "0.010", "0.010", "0.010"]);
  for (const { derived, given, ahead, time } of shown) {
    expect(derived).toBeCloseTo(50 * time ** 2, 9);
    expect(given).toBeCloseTo(50 * time ** 2, 9);
    // One step further, as if the acceleration had paused.
    expect(ahead).toBeCloseTo(50 * (time + 0.1) ** 2 - 0.5, 9);
  }
});

test("derived velocities are exact five steps after a spawn, given ones at once", () => {
  const { frames, loop } = drawn(
    (body, tick) => Object.assign(body, { x: 50 * ((tick + 1) / 10) ** 2, v: 10 * (tick + 1) }),
    0,
    0,
  );
  const wrong = { given: new Set<number>(), derived: new Set<number>() };
  for (let i = 0; i < 100; i++) {
    const [{ time, given, derived }] = frames(1) as [ReturnType<typeof frames>[number]];
    if (Math.abs(given - 50 * time ** 2) > 1e-6) wrong.given.add(loop.tick);
    if (Math.abs(derived - 50 * time ** 2) > 1e-6) wrong.derived.add(loop.tick);
  }
  expect({ given: [...wrong.given], derived: [...wrong.derived] }).toEqual({
    given: [],
    derived: [1, 2, 3, 4],
  });
});

test("with semi-implicit Euler, derived velocities fit the positions better than those of the integrator", () => {
  const { frames } = drawn(
    (body) => {
      body.v += 10;
      body.x += body.v * 0.1;
    },
    0,
    0,
  );
  const shown = frames(200).slice(70);
  const figures = [
    shown.map(({ straight }) => straight),
    shown.map(({ given }) => given),
    shown.map(({ derived }) => derived),
  ].map(maxChange);
  expect(figures).toEqual(["0.100", "0.034", "0.010"]);
});

type Response = "reflect" | "clamp";
/** Falls and bounces off a floor at 0, in semi-implicit Euler steps of a tenth of a second. */
function fall(body: { x: number; v: number }, restitution: number, response: Response, gravity = 10): void {
  const before = body.x;
  body.v -= gravity * 0.1;
  body.x += body.v * 0.1;
  if (body.x >= 0) return;
  const fraction = before / (before - body.x);
  body.v *= -restitution;
  body.x = response === "clamp" ? 0 : body.v * (1 - fraction) * 0.1;
}

describe("a bounce", () => {
  test("at 30 m/s dips 0.117 m below the floor on a free curve, and not at all now", () => {
    const { frames } = drawn((body) => fall(body, 1, "reflect"), 3, -30);
    const shown = frames(600, 0.001);
    const dip = (name: "free" | "given" | "derived" | "straight") =>
      Math.max(0, ...shown.map((frame) => -frame[name])).toFixed(3);
    expect([dip("free"), dip("given"), dip("derived"), dip("straight")]).toEqual([
      "0.117",
      "0.000",
      "0.000",
      "0.000",
    ]);
  });

  test("never dips, whatever its phase, restitution and collision response", () => {
    const lowest = { free: 0, given: 9, derived: 9 };
    for (const response of ["reflect", "clamp"] as const)
      for (const restitution of [1, 0.8, 0.5, 0.2, 0])
        for (let height = 1; height < 4; height += 0.17) {
          const { frames } = drawn((body) => fall(body, restitution, response), height, -30);
          for (const frame of frames(200)) {
            lowest.free = Math.min(lowest.free, frame.free);
            lowest.given = Math.min(lowest.given, frame.given);
            lowest.derived = Math.min(lowest.derived, frame.derived);
          }
        }
    expect(lowest).toEqual({ free: expect.closeTo(-0.7, 0), given: 0, derived: 0 });
  });
});

describe("an arc", () => {
  test("keeps its top, which straight lines cut off", () => {
    // The top lies between two states.
    const height = (time: number) => 9.5 * time - 5 * time * time;
    const { frames } = drawn(
      (body, tick) => Object.assign(body, { x: height((tick + 1) / 10), v: 9.5 - 10 * ((tick + 1) / 10) }),
      0,
      9.5,
    );
    const shown = frames(180).slice(70);
    const error = (name: "straight" | "derived" | "given") =>
      Math.max(...shown.map((frame) => Math.abs(frame[name] - height(frame.time)))).toFixed(4);
    expect([error("straight"), error("derived"), error("given")]).toEqual(["0.0125", "0.0000", "0.0000"]);
  });

  test("stays round: at 12 states per turn, 0.02 % off the circle with given velocities, 0.97 % with derived ones, 3.41 % straight", () => {
    const moon = { place: { x: 1, y: 0 }, speed: { x: 0, y: 2 * Math.PI } };
    const loop = new Loop({
      rate: 12,
      step({ tick }) {
        const turn = (2 * Math.PI * (tick + 1)) / 12;
        moon.place = { x: Math.cos(turn), y: Math.sin(turn) };
        moon.speed = { x: -2 * Math.PI * Math.sin(turn), y: 2 * Math.PI * Math.cos(turn) };
      },
    });
    const straight = smooth(loop, moon, { place: vector2 });
    const given = smooth(loop, moon, { place: curve(vector2, "speed") });
    const derived = smooth(loop, moon, { place: curve(vector2) });
    const errors = [0, 0, 0];
    for (let i = 0; i < 400; i++) {
      loop.advance(1 / 120);
      if (i > 70)
        for (const [k, { place }] of [straight, given, derived].entries())
          errors[k] = Math.max(errors[k]!, Math.abs(Math.hypot(place.x, place.y) - 1));
    }
    expect(errors.map((error) => (100 * error).toFixed(2))).toEqual(["3.41", "0.02", "0.97"]);
  });
});

describe("curves", () => {
  test("are exact at both ends and at rest, -0 included", () => {
    const rest = { x: -0, y: 0.1 + 0.2, v: 0, heading: 7.123456789 };
    const loop = new Loop({ rate: 10 });
    const fields = { x: curve(scalar), y: curve(scalar, "v"), heading: curve(angle) };
    const shown = smooth(loop, rest, fields);
    for (let i = 0; i < 40; i++) {
      loop.advance(0.037);
      expect(shown).toEqual({ x: -0, y: 0.1 + 0.2, heading: 7.123456789 });
    }
    const { frames, body } = drawn((moved, tick) => void (moved.x += tick % 5), 0.1, 3);
    const shownFrames = frames(100);
    // At the end of a step, alpha is almost 1 or 0.
    expect(shownFrames[98]!.derived).toBeCloseTo(body.x - (9 % 5), 0);
  });

  test("are those of hermite, with the velocities of the object", () => {
    const { frames } = drawn(
      (body, tick) => {
        const time = (tick + 1) / 10;
        Object.assign(body, { x: Math.sin(time), v: Math.cos(time) });
      },
      0,
      1,
    );
    for (const { given, free } of frames(140).slice(20)) expect(given).toBeCloseTo(free, 12);
    const [out] = hermiteAll(
      new Float64Array(1),
      Float64Array.of(0),
      Float64Array.of(1),
      Float64Array.of(2),
      Float64Array.of(1),
      1,
      0.25,
    );
    expect(out).toBe(hermite(0, 1, 2, 1, 1, 0.25));
  });

  test("leave the range of their states by no more than a sixth of the change of velocity", () => {
    const places = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 3, maxLength: 10 });
    fc.assert(
      fc.property(places, fc.boolean(), (list, isGiven) => {
        const body = { x: list[0]!, v: 0 };
        let [previous, before] = [body.x, 0];
        const loop = new Loop({
          rate: 10,
          step({ tick }) {
            previous = body.x;
            before = body.v;
            body.x = list[tick + 1] ?? 0;
            body.v = 10 * (list[tick + 2] ?? 0);
          },
        });
        const shown = smooth(loop, body, { x: isGiven ? curve(scalar, "v") : curve(scalar) });
        for (let i = 0; i < 10 * (list.length - 1); i++) {
          loop.advance(0.01);
          const room = isGiven ? Math.abs(body.v - before) / 10 / 6 : 400 / 6;
          expect(shown.x).toBeGreaterThanOrEqual(Math.min(previous, body.x) - room);
          expect(shown.x).toBeLessThanOrEqual(Math.max(previous, body.x) + room);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("ignore velocities that are no finite numbers", () => {
    for (const v of [NaN, Infinity, -Infinity]) {
      const body = { x: 0, v };
      const loop = new Loop({ rate: 10, step: () => void (body.x += 10) });
      const shown = smooth(loop, body, { x: curve(scalar, "v") });
      loop.advance(0.25);
      expect(shown.x).toBeGreaterThanOrEqual(10);
      expect(shown.x).toBeLessThanOrEqual(20);
    }
  });

  test("turn angles the short way", () => {
    const vane = { heading: 3, spin: 2.8 };
    const loop = new Loop({
      rate: 10,
      step() {
        vane.heading += 0.28;
        if (vane.heading > Math.PI) vane.heading -= 2 * Math.PI;
      },
    });
    const shown = smooth(loop, vane, { heading: curve(angle, "spin") });
    const same = smooth(loop, vane, { heading: angle });
    for (let i = 0; i < 300; i++) {
      loop.advance(0.007);
      expect(shown.heading).toBeCloseTo(same.heading, 12);
    }
  });

  test("do not cross teleports, writes and new objects, and follow a shift", () => {
    const list = [
      { x: 0, v: 100 },
      { x: 1000, v: 100 },
    ];
    const acts: ((tick: number) => void)[] = [];
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        for (const body of list) body.x += 10;
        for (const act of acts) act(tick);
      },
    });
    const derived = smoothAll(loop, list, { x: curve(scalar) });
    const given = smoothAll(loop, list, { x: curve(scalar, "v") });
    const seen = () => {
      expect(given.map(({ x }) => x)).toEqual(derived.map(({ x }) => x));
      return derived.map(({ x }) => x);
    };
    loop.advance(0.25);
    expect(seen()).toEqual([15, 1015]);
    acts.push((tick) => {
      if (tick === 2) {
        teleport(list[0]!);
        shift(list[1]!, { x: 500 });
      }
    });
    loop.advance(0.1);
    expect(seen()).toEqual([30, 1525]);
    loop.advance(0.1);
    expect(seen()).toEqual([35, 1535]);
    list[0]!.x = 500;
    list.push({ x: 7, v: 100 });
    loop.advance(0);
    expect(seen()).toEqual([500, 1535, 7]);
    loop.advance(0.1);
    expect(seen()).toEqual([505, 1545, 12]);
  });

  test("stay the same when other objects of the list swap places", () => {
    const list = [0, 1, 2].map(() => ({ x: 0 }));
    const [first] = list as [{ x: number }];
    const loop = new Loop({
      rate: 10,
      step: ({ tick }) => list.forEach((body) => void (body.x = (tick + 1) ** 2)),
    });
    const alone = smooth(loop, first, { x: curve(scalar) });
    const [shown] = smoothAll(loop, list, { x: curve(scalar) });
    for (let i = 0; i < 30; i++) {
      [list[1], list[2]] = [list[2]!, list[1]!];
      loop.advance(0.05);
      expect(shown!.x).toBe(alone.x);
    }
  });

  test("are drawn in rows that come, go, teleport and grow", () => {
    const world = { x: Float32Array.of(0, 100, 200), v: Float32Array.of(100, 100, 100) };
    let alive = 2;
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        for (let row = 0; row < alive; row++) world.x[row]! += 10;
        if (tick === 2) teleport(world, 0);
      },
    });
    const shown = smoothColumns(loop, world, { x: curve(scalar, "v") }, { count: () => alive });
    const derived = smoothColumns(loop, world, { x: curve(scalar) }, { count: () => alive });
    const ahead = smoothColumns(loop, world, { x: scalar }, { count: () => alive, ahead: extrapolate(1) });
    const seen = () => {
      expect([...derived.x.subarray(0, alive)]).toEqual([...shown.x.subarray(0, alive)]);
      return [...shown.x.subarray(0, alive), ...ahead.x.subarray(0, alive)];
    };
    loop.advance(0.25);
    expect(seen()).toEqual([15, 115, 25, 125]);
    alive = 3;
    loop.advance(0.1);
    expect(seen()).toEqual([30, 125, 205, 30, 135, 210]);
    for (const name of ["x", "v"] as const) {
      const longer = new Float32Array(8).fill(100);
      longer.set(world[name]);
      world[name] = longer;
    }
    loop.advance(0.1);
    expect(seen()).toEqual([35, 135, 215, 40, 145, 225]);
    shift(world, { x: 1000 });
    loop.advance(0.1);
    expect(seen()).toEqual([1045, 1145, 1225, 1055, 1155, 1235]);
  });

  test("follow acceleration only while it lasts", () => {
    // Constant velocity, and then a stop within one step: a curve with the old velocity would overshoot.
    const { frames } = drawn(
      (body, tick) => Object.assign(body, { x: Math.min(10 * (tick + 1), 95), v: tick < 9 ? 100 : 0 }),
      0,
      100,
    );
    for (const { derived, given } of frames(150)) {
      expect(derived).toBeLessThanOrEqual(95);
      expect(given).toBeLessThanOrEqual(95);
    }
  });

  test("reject bad names of velocities", () => {
    const loop = new Loop({ rate: 10 });
    const ship = { x: 0, name: "a", place: [0, 0] };
    expect(() => smooth(loop, ship, { x: curve(scalar, "vx") } as never)).toThrow(
      "smooth: velocity vx of x must be a number, got undefined.",
    );
    expect(() => smooth(loop, ship, { place: curve(vector2, "x") } as never)).toThrow(
      "smooth: velocity x of place must be an array of 2 numbers, or { x, y }, got 0.",
    );
    expect(() => curve(scalar, undefined as never)).toThrow(
      'curve: velocity must be a string, got undefined. Try curve(scalar, "vx").',
    );
    const columns = { x: new Float64Array(4), v: new Float64Array(2) };
    expect(() => smoothColumns(loop, columns, { x: curve(scalar, "v") })).toThrow(
      "smoothColumns: velocity v of x must be a Float64Array or a Float32Array of at least 4 numbers",
    );
  });

  test("reject kinds whose numbers do not move one by one", () => {
    for (const kind of [hold, teleportOnChange, rotation, rotation.nlerp, curve(angle)])
      expect(() => curve(kind as never)).toThrow(
        `curve: kind must be scalar, angle, vector2 or vector3, got "${kind.name}". Try curve(scalar).`,
      );
    expect(() => curve(undefined as never)).toThrow("got undefined");
  });

  test("blend as lerp does until the motion is known", () => {
    const body = { x: 0 };
    const loop = new Loop({ rate: 10, step: ({ tick }) => void (body.x += tick + 1) });
    const shown = smooth(loop, body, { x: curve(scalar) });
    loop.advance(0.125);
    expect(shown.x).toBe(lerp(0, 1, 0.25));
  });
});
