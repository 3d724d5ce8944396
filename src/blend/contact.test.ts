// Contacts: how blending flattens a bounce, and how the moment of contact restores its V.
import { afterEach, describe, expect, test, vi } from "vitest";
import { errorWith } from "../../test/error-with.js";
import { Loop } from "../index.js";
import {
  angle,
  contact,
  curve,
  extrapolate,
  hold,
  rotation,
  scalar,
  shift,
  smooth,
  smoothAll,
  smoothColumns,
  teleport,
  vector2,
} from "./index.js";

afterEach(() => vi.unstubAllGlobals());

const RATE = 10;

/** The exact height of a ball that falls from 4.5 m at 30 m/s and bounces off the floor without loss. */
function exactHeight(time: number, gravity: number): number {
  const speed = Math.sqrt(900 + 2 * gravity * 4.5);
  const fall = gravity > 0 ? (speed - 30) / gravity : 0.15;
  if (time < fall) return 4.5 - 30 * time - (gravity * time * time) / 2;
  return speed * (time - fall) - (gravity * (time - fall) ** 2) / 2;
}

/** Draws the ball, whose states are exact, at 1000 frames per second. Returns the lowest height, and the largest error. */
function bounce(gravity: number, hasContact: boolean) {
  const ball = { y: 4.5, v: -30 };
  const columns = { y: Float64Array.of(4.5), v: Float64Array.of(-30) };
  const speed = Math.sqrt(900 + 2 * gravity * 4.5);
  const hit = gravity > 0 ? (speed - 30) / gravity : 0.15;
  const loop = new Loop({
    rate: RATE,
    step({ time, dt }) {
      const end = time + dt;
      columns.y[0] = ball.y = exactHeight(end, gravity);
      columns.v[0] = ball.v = end < hit ? -30 - gravity * end : speed - gravity * (end - hit);
      if (!hasContact || hit < time || hit >= end) return;
      contact(ball, (hit - time) * RATE, { y: 0 });
      contact(columns, (hit - time) * RATE, { y: 0 }, 0);
    },
  });
  const views = {
    straight: smooth(loop, ball, { y: scalar }),
    given: smooth(loop, ball, { y: curve(scalar, "v") }),
    derived: smooth(loop, ball, { y: curve(scalar) }),
  };
  const rows = {
    straight: smoothColumns(loop, columns, { y: scalar }),
    given: smoothColumns(loop, columns, { y: curve(scalar, "v") }),
    derived: smoothColumns(loop, columns, { y: curve(scalar) }),
  };
  const result = { straight: "", given: "", derived: "" };
  const names = ["straight", "given", "derived"] as const;
  const lowest = { straight: 9, given: 9, derived: 9 };
  const error = { straight: 0, given: 0, derived: 0 };
  for (let i = 0; i < 500; i++) {
    loop.advance(0.001);
    for (const name of names) {
      const { y } = views[name];
      expect(rows[name].y[0]).toBe(y);
      lowest[name] = Math.min(lowest[name], y);
      if (i > 100)
        error[name] = Math.max(error[name], Math.abs(y - exactHeight(loop.frame.shownTime, gravity)));
    }
  }
  for (const name of names) result[name] = `${lowest[name].toFixed(2)}, error ${error[name].toFixed(3)}`;
  return result;
}

describe("a bounce at 30 m/s in the middle of a step", () => {
  test("is flattened by blending: the ball turns 1.5 m above the floor", () => {
    expect(bounce(0, false)).toEqual({
      straight: "1.50, error 1.500",
      given: "1.50, error 1.500",
      derived: "1.50, error 1.500",
    });
  });

  test("is a sharp V with a contact", () => {
    expect(bounce(0, true)).toEqual({
      straight: "0.00, error 0.000",
      given: "0.00, error 0.000",
      derived: "0.00, error 0.000",
    });
  });

  test("is exact on curves of given velocities, with gravity too", () => {
    // A frame is a millisecond, so the lowest one that is drawn is up to 0.015 m above the floor.
    expect(bounce(10, true)).toEqual({
      straight: "0.01, error 0.013",
      given: "0.01, error 0.000",
      derived: "0.01, error 0.013",
    });
  });
});

describe("a contact", () => {
  /** A body that moves ten units per step, and calls `act` in each step. */
  function flight(act: (body: { x: number; y: number }, tick: number) => void) {
    const body = { x: 0, y: 0 };
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        body.x += 10;
        body.y += 10;
        act(body, tick);
      },
    });
    return { body, loop, shown: smooth(loop, body, { x: scalar, y: scalar }) };
  }

  test("bends only the fields that it names, in this step only", () => {
    const { loop, shown } = flight((body, tick) => {
      if (tick === 1) contact(body, 0.25, { y: -10 });
    });
    loop.advance(0.15);
    expect(shown).toEqual({ x: 5, y: 5 });
    const seen: number[][] = [];
    for (let i = 0; i < 6; i++) {
      loop.advance(0.025);
      seen.push([shown.x, shown.y]);
    }
    expect(seen.map(([x]) => x)).toEqual([7.5, 10, 12.5, 15, 17.5, 20]);
    expect(seen.map(([, y]) => y!.toFixed(4))).toEqual([
      "7.5000",
      "10.0000",
      "-10.0000",
      "0.0000",
      "10.0000",
      "20.0000",
    ]);
  });

  test("at the beginning or the end of a step does nothing", () => {
    const { loop, shown } = flight((body, tick) => {
      if (tick === 1) contact(body, 0, { y: 10 });
      if (tick === 2) contact(body, 1, { y: 30 });
    });
    for (let i = 0; i < 40; i++) {
      loop.advance(0.01);
      expect(shown.y).toBeCloseTo(shown.x, 9);
    }
  });

  test("of a field replaces an earlier one, and others stay", () => {
    const { loop, shown } = flight((body) => {
      contact(body, 0.5, { x: 100 });
      contact(body, 0.5, { x: 7, y: 7 });
      contact(body, 0.5, { y: -100 });
    });
    loop.advance(0.15);
    expect(shown).toEqual({ x: 7, y: -100 });
  });

  test("ends with a teleport, a write or a new object in its place, and follows a shift", () => {
    const { body, loop, shown } = flight((moved, tick) => {
      contact(moved, 0.5, { x: -1000 });
      if (tick === 1) teleport(moved);
      if (tick === 2) shift(moved, { x: 500 });
    });
    loop.advance(0.15);
    expect(shown.x).toBe(-1000);
    body.x = 3;
    loop.advance(0);
    expect(shown.x).toBe(3);
    loop.advance(0.1);
    expect(shown.x).toBe(13);
    loop.advance(0.1);
    expect(shown.x).toBe(-500);
  });

  test("stays with its object when a list is reordered, and ends if that leaves", () => {
    const list = [{ x: 0 }, { x: 100 }];
    const [first] = list;
    const loop = new Loop({
      rate: 10,
      step() {
        for (const crate of list) crate.x += 10;
        contact(first!, 0.5, { x: -50 });
      },
    });
    const shown = smoothAll(loop, list, { x: scalar });
    loop.advance(0.15);
    expect(shown.map(({ x }) => x)).toEqual([-50, 105]);
    list.reverse();
    loop.advance(0);
    expect(shown.map(({ x }) => x)).toEqual([105, -50]);
    list.pop();
    loop.advance(0);
    expect(shown.map(({ x }) => x)).toEqual([105]);
    loop.advance(0.1);
    expect(shown.map(({ x }) => x)).toEqual([115]);
  });

  test("can be one component of a vector, an angle, or a row of columns", () => {
    const body = { place: { x: 0, y: 0 }, heading: 3 };
    const columns = { place: Float32Array.of(0, 0, 0, 0) };
    const loop = new Loop({
      rate: 10,
      step() {
        body.place.x += 10;
        body.place.y += 10;
        body.heading = -3;
        contact(body, 0.5, { place: { y: -4 }, heading: 3.1 });
        for (let i = 0; i < 4; i++) columns.place[i]! += 10;
        contact(columns, 0.5, { place: [1, 2] }, 1);
      },
    });
    const shown = smooth(loop, body, { place: vector2, heading: angle });
    const rows = smoothColumns(loop, columns, { place: vector2 });
    loop.advance(0.15);
    expect(shown).toEqual({ place: { x: 5, y: -4 }, heading: 3.1 });
    expect([...rows.place]).toEqual([5, 5, 1, 2]);
    loop.advance(0.049);
    expect(Math.cos(shown.heading)).toBeCloseTo(Math.cos(3), 1);
    shift(columns, { place: [100, 0] }, 1);
    loop.advance(0);
    expect(rows.place[2]).toBeCloseTo(109.82, 4);
  });

  test("lets extrapolation go on with the velocity after it", () => {
    const ball = { x: 60, speed: 30 };
    const columns = { x: Float64Array.of(60) };
    const loop = new Loop({
      rate: 10,
      step() {
        const next = ball.x + ball.speed;
        if (next > 100) {
          const fraction = (100 - ball.x) / ball.speed;
          contact(ball, fraction, { x: 100 });
          contact(columns, fraction, { x: 100 }, 0);
          ball.speed = -ball.speed;
          ball.x = 100 + ball.speed * (1 - fraction);
        } else ball.x = next;
        columns.x[0] = ball.x;
      },
    });
    const shown = smooth(loop, ball, { x: scalar }, { ahead: extrapolate(1) });
    const rows = smoothColumns(loop, columns, { x: scalar }, { ahead: extrapolate(1) });
    loop.advance(0.2);
    // The states are 60, 90, 80 and 50. Without the contact, 80 would be extrapolated to 70.
    loop.advance(0.09999);
    expect(shown.x).toBeCloseTo(50, 1);
    expect(rows.x[0]).toBe(shown.x);
  });

  describe("near the end of a step, bounds extrapolation by the motion before it:", () => {
    /** Plays states that are one step apart, with a contact in the second step. Returns the lowest and highest number drawn. */
    function drawn(states: readonly number[], fraction: number, at: number) {
      const body = { x: states[0]! };
      const columns = { x: Float32Array.of(states[0]!) };
      const loop = new Loop({
        rate: 10,
        step({ tick }) {
          columns.x[0] = body.x = states[tick + 1] ?? body.x;
          if (tick !== 1) return;
          contact(body, fraction, { x: at });
          contact(columns, fraction, { x: at }, 0);
        },
      });
      const views = [scalar, curve(scalar), angle, curve(angle)].flatMap((kind) => [
        smooth(loop, body, { x: kind }, { ahead: extrapolate(1) }),
        smooth(loop, body, { x: kind }),
      ]);
      const rows = [scalar, curve(scalar)].map((kind) =>
        smoothColumns(loop, columns, { x: kind }, { ahead: extrapolate(1) }),
      );
      const range = [Infinity, -Infinity] as [number, number];
      for (let i = 0; i < 60; i++) {
        loop.advance(0.01);
        for (const x of [...views.map((view) => view.x), ...rows.map((row) => row.x[0]!)]) {
          range[0] = Math.min(range[0], x);
          range[1] = Math.max(range[1], x);
        }
      }
      return range;
    }

    test.each([0.9, 0.9995, 0.999999, 1 - 1e-7, 1 - 2 ** -53, 1])("a skin, at %d", (fraction) => {
      const [low, high] = drawn([0.2, 0.1, 0.001], fraction, 0);
      expect(low).toBeGreaterThan(-0.1001);
      expect(high).toBeLessThan(0.2001);
    });

    test.each([0.5, 0.9, 0.9995, 0.999999, 1 - 1e-7, 1 - 2 ** -53])("a bounce, at %d", (fraction) => {
      // The state of a Float32Array is up to 2e-8 off.
      const after = 0.3 + (1 - fraction) * 0.4;
      const [low, high] = drawn([1.1, 0.3 + fraction * 0.4, after, after + 0.4], fraction, 0.3);
      expect(low).toBeGreaterThan(0.3 - 0.4001);
      expect(high).toBeLessThan(after + 0.8001);
    });

    test("a kick, which is faster than the motion before it", () => {
      const [low, high] = drawn([0, 0, 1, 3], 0.5, 0);
      expect([low, high]).toEqual([0, 5]);
    });
  });

  test("lets an angle go on the short way", () => {
    const body = { heading: 3 };
    const loop = new Loop({
      rate: 10,
      step({ tick }) {
        if (tick === 1) contact(body, 0.5, { heading: 3.1 });
        body.heading = tick === 0 ? 3 : 3.2 - 2 * Math.PI;
      },
    });
    const shown = smooth(loop, body, { heading: angle }, { ahead: extrapolate(1) });
    loop.advance(0.2);
    loop.advance(0.09999);
    expect(shown.heading).toBeCloseTo(3.4 - 2 * Math.PI, 3);
  });

  test("works without new Function", () => {
    vi.stubGlobal("Function", () => {
      throw new EvalError("unsafe-eval");
    });
    const { loop, shown } = flight((body) => contact(body, 0.5, { y: -10 }));
    loop.advance(0.15);
    expect(shown).toEqual({ x: 5, y: -10 });
  });

  test("is ignored for objects without a view", () => {
    expect(() => contact({ x: 0 }, 0.5, { x: 1 })).not.toThrow();
  });

  test("rejects calls outside a step, views, held fields, rotations and unknown names", () => {
    const body = { x: 0, frame: 0, turn: [0, 0, 0, 1] };
    const columns = { x: new Float64Array(2) };
    let act = () => {};
    const loop = new Loop({ rate: 10, step: () => act() });
    const shown = smooth(loop, body, { x: scalar, frame: hold, turn: rotation });
    smoothColumns(loop, columns, { x: scalar });
    const inStep = (run: () => void) => () => {
      act = run;
      loop.runSteps();
    };
    expect(() => contact(body, 0.5, { x: 1 })).toThrow(
      errorWith("not-ready", "contact: no step is running that moves the object. Call it inside the step."),
    );
    expect(() => contact(shown, 0.5, { x: 1 })).toThrow("contact: the object is a view.");
    expect(inStep(() => contact(body, 0.5, { frame: 1 }))).toThrow(
      errorWith("unsupported", "contact: frame is a hold field, which has no contact. Leave it out."),
    );
    expect(inStep(() => contact(body, 0.5, { turn: [0, 0, 0, 1] }))).toThrow("turn is a rotation field");
    expect(inStep(() => contact(body, 0.5, { y: 1 } as never))).toThrow(
      errorWith("unknown-name", 'contact: unknown field "y". Known: x, frame, turn.'),
    );
    expect(inStep(() => contact(columns, 0.5, { x: 1 }))).toThrow("contact: row must be the number of a row");
    expect(inStep(() => contact(columns, 0.5, { x: 1 }, 2))).toThrow(
      "contact: row must be below 2, the number of rows, got 2.",
    );
    expect(inStep(() => contact(body, 0.5, { x: 1 }, 1))).toThrow("contact: row must be omitted");
  });
});
