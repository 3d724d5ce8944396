import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { f32, f64, layout, list, LIVE, quat, skipBlend, table, u32, vec2 } from "../state/index.js";
import { errorSmoothing } from "./error-smoothing.js";

const [BEFORE, AFTER, VIEW] = [0, 1, 2];

const World = layout({
  score: u32,
  camera: { x: f64.lerp, turn: f64.angle },
  crates: table(4, { x: f64.lerp, at: vec2.lerp, spin: quat.slerp, heat: f64 }),
  lamps: list(2, { x: f32.lerp }),
});

/** A state, and a smoother that is told of the difference between two versions of it. */
function scene(options = {}) {
  const state = World.allocate(3);
  const smoother = errorSmoothing(World, options);
  const { world } = state;
  /** Applies `change` to the state as a correction of the current tick. */
  const correct = (change: () => void) => {
    state.save(BEFORE);
    change();
    state.save(AFTER);
    return smoother.corrected(state.at(BEFORE), state.at(AFTER));
  };
  const drawn = (ticks = 0) => {
    smoother.advance(ticks);
    state.blend(VIEW, LIVE, LIVE, 1);
    const hash = state.hash().join();
    smoother.apply(state.at(VIEW));
    expect(state.hash().join()).toBe(hash);
    return state.at(VIEW);
  };
  return { state, world, smoother, correct, drawn };
}

describe("numbers", () => {
  test("the picture does not move at the correction, then approaches what is right", () => {
    const { world, correct, drawn, smoother } = scene();
    world.camera.x = 10;
    expect(correct(() => void (world.camera.x = 10.2))).toBeCloseTo(0.2, 12);
    expect(smoother.count).toBe(1);
    expect(drawn().camera.x).toBeCloseTo(10, 12);
    expect(drawn().camera.x).toBeCloseTo(10, 12);
    expect(drawn(1).camera.x).toBeCloseTo(10.2 - 0.2 * 0.95, 12);
    expect(drawn(2).camera.x).toBeCloseTo(10.2 - 0.2 * 0.95 ** 3, 12);
    drawn(500);
    expect(smoother.count).toBe(0);
    expect(drawn().camera.x).toBe(10.2);
  });

  test("large errors decay faster, and the factor in between is interpolated", () => {
    for (const [error, decay] of [
      [0.25, 0.95],
      [0.625, 0.9],
      [1, 0.85],
      [50, 0.85],
    ] as const) {
      const { world, correct, drawn } = scene();
      correct(() => void (world.camera.x = -error));
      expect(drawn(1).camera.x).toBeCloseTo(-error + error * decay, 12);
    }
  });

  test("factors and sizes can be set", () => {
    const { world, correct, drawn } = scene({ positions: { small: 10, smallDecay: 0.5 } });
    correct(() => void (world.camera.x = 8));
    expect(drawn(1).camera.x).toBe(4);
    expect(() => scene({ positions: { smal: 1 } })).toThrow('unknown option "positions.smal"');
    expect(() => scene({ angles: { largeDecay: 2 } })).toThrow(
      "angles.largeDecay must be a number from 0 to 1, got 2",
    );
    expect(() => scene({ angles: { small: 3, large: 2 } })).toThrow(
      "angles.small must be at most large, which is 2",
    );
  });

  test("corrections add up", () => {
    const { world, correct, drawn } = scene();
    correct(() => void (world.camera.x = 0.1));
    const x = drawn(1).camera.x;
    correct(() => void (world.camera.x = 0.3));
    expect(drawn().camera.x).toBeCloseTo(x, 12);
    correct(() => void (world.camera.x = -0.2));
    expect(drawn().camera.x).toBeCloseTo(x, 12);
  });

  test("fields without a blend mode are not smoothed", () => {
    const { world, correct, drawn, smoother } = scene();
    world.crates.add();
    correct(() => {
      world.score = 5;
      world.crates.heat[0] = 7;
    });
    expect(smoother.count).toBe(0);
    expect([drawn().score, drawn().crates.heat[0]]).toEqual([5, 7]);
  });

  test("a vector keeps its direction; 32-bit floats and lists are smoothed too", () => {
    const { world, correct, drawn } = scene();
    world.crates.add({ at: [1, 1], spin: [0, 0, 0, 1] });
    correct(() => {
      world.crates.at.set([1.3, 1.4]);
      world.lamps.x[1] = 0.25;
    });
    expect([...drawn().crates.at.subarray(0, 2)]).toEqual([1, 1]);
    const [x, y] = drawn(1).crates.at;
    // The size of the error is 0.5.
    const factor = 0.95 - 0.1 / 3;
    expect(x).toBeCloseTo(1.3 - 0.3 * factor, 12);
    expect(y).toBeCloseTo(1.4 - 0.4 * factor, 12);
    expect([...drawn().lamps.x]).toEqual([0, Math.fround(0.25 * 0.05)]);
  });
});

describe("turns", () => {
  test("an angle takes the short way round", () => {
    const { world, correct, drawn } = scene();
    world.camera.turn = 3.1;
    correct(() => void (world.camera.turn = -3.1));
    const gap = 2 * Math.PI - 6.2;
    // -3.1 - gap is the angle 3.1.
    expect(drawn().camera.turn).toBeCloseTo(-3.1 - gap, 12);
    const { turn } = drawn(1).camera;
    expect(turn).toBeGreaterThan(-3.1 - gap);
    expect(turn).toBeLessThan(-3.1);
    // Full turns are no error.
    const other = scene();
    other.correct(() => void (other.world.camera.turn = 4 * Math.PI));
    expect(other.drawn().camera.turn).toBeCloseTo(4 * Math.PI, 12);
  });

  const about = (axis: readonly number[], angle: number) => {
    const length = Math.hypot(...axis);
    return [...axis.map((part) => (part / length) * Math.sin(angle / 2)), Math.cos(angle / 2)];
  };
  const angleBetween = (a: ArrayLike<number>, b: ArrayLike<number>) => {
    let dot = 0;
    for (let i = 0; i < 4; i++) dot += a[i]! * b[i]!;
    let gap = 0;
    for (let i = 0; i < 4; i++) gap += (a[i]! - Math.sign(dot) * b[i]!) ** 2;
    return 4 * Math.asin(Math.sqrt(gap) / 2);
  };

  test("a quaternion keeps unit length, and turns by its share along the shorter arc", () => {
    const axis = fc
      .tuple(
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
        fc.double({ min: -1, max: 1, noNaN: true }),
      )
      .filter((parts) => Math.hypot(...parts) > 0.1);
    const angle = fc.double({ min: -3, max: 3, noNaN: true });
    fc.assert(
      fc.property(
        axis,
        angle,
        axis,
        angle,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, p, b, r, flip, ticks) => {
          const { world, correct, drawn } = scene();
          const [was, is] = [about(a, p), about(b, r).map((part) => (flip ? -part : part))];
          world.crates.add({ spin: was });
          correct(() => world.crates.spin.set(is));
          const error = angleBetween(was, is);
          expect(angleBetween(drawn().crates.spin, was)).toBeLessThan(1e-7);
          const spin = drawn(ticks).crates.spin.slice(0, 4);
          expect(Math.hypot(...spin)).toBeCloseTo(1, 12);
          const decay = error <= 0.05 ? 0.95 : error >= 0.5 ? 0.85 : 0.95 - ((error - 0.05) / 0.45) * 0.1;
          const left = error * (1 - (1 - decay) * ticks);
          expect(angleBetween(spin, is)).toBeCloseTo(left > 5e-6 ? left : 0, 5);
        },
      ),
    );
  });

  test("corrections of a quaternion add up", () => {
    const { world, correct, drawn } = scene();
    world.crates.add({ spin: about([1, 0, 0], 1) });
    correct(() => world.crates.spin.set(about([0, 1, 0], 1)));
    const spin = drawn(3).crates.spin.slice(0, 4);
    correct(() => world.crates.spin.set(about([0, 1, 1], 2)));
    expect(angleBetween(drawn().crates.spin, spin)).toBeLessThan(1e-7);
  });

  test("zeros are no rotation, and have no error", () => {
    const { world, correct, drawn } = scene();
    world.crates.add();
    correct(() => world.crates.spin.set([0, 0, 0, 1]));
    expect([...drawn().crates.spin.subarray(0, 4)]).toEqual([0, 0, 0, 1]);
  });
});

describe("rows", () => {
  test("that come or go have no error, and end the one of their predecessor", () => {
    const { world, correct, drawn, smoother } = scene();
    const first = world.crates.add({ x: 5 });
    correct(() => void (world.crates.x[0] = 6));
    expect(smoother.count).toBe(1);
    expect(
      correct(() => {
        world.crates.remove(first);
        world.crates.add({ x: 50 });
      }),
    ).toBe(Infinity);
    expect(smoother.count).toBe(0);
    expect(drawn().crates.x[0]).toBe(50);
  });

  test("that are replaced later, without a correction, too", () => {
    const { world, correct, drawn, smoother } = scene();
    const first = world.crates.add({ x: 5 });
    world.crates.add({ x: 5 });
    correct(() => void world.crates.x.set([6, 6]));
    expect(smoother.count).toBe(2);
    world.crates.remove(first);
    world.crates.add({ x: 50 });
    expect([...drawn().crates.x.subarray(0, 2)]).toEqual([50, 5]);
    expect(smoother.count).toBe(1);
  });

  test("that were teleported jump: in the correction, or later", () => {
    const { world, correct, drawn, smoother } = scene();
    for (let i = 0; i < 3; i++) world.crates.add({ x: 5 });
    correct(() => {
      world.crates.x.set([6, 6, 6]);
      skipBlend(world.crates, 0);
    });
    expect([...drawn().crates.x.subarray(0, 3)]).toEqual([6, 5, 5]);
    skipBlend(world.crates, 1);
    expect([...drawn().crates.x.subarray(0, 3)]).toEqual([6, 6, 5]);
    skipBlend(world.crates, 2);
    // A correction after the teleport: only the new error is left.
    correct(() => void (world.crates.x[2] = 6.5));
    expect([...drawn().crates.x.subarray(0, 3)]).toEqual([6, 6, 6]);
    expect(smoother.count).toBe(1);
  });

  test("with an error above the teleport distance jump as a whole", () => {
    const { world, correct, drawn, smoother } = scene({ positions: { teleport: 10 } });
    world.crates.add({ x: 0, at: [0, 0] });
    correct(() => {
      world.crates.x[0] = 1;
      world.crates.at.set([8, 8]);
    });
    expect(smoother.count).toBe(0);
    expect([drawn().crates.x[0], drawn().crates.at[0]]).toEqual([1, 8]);
    correct(() => void (world.crates.x[0] = 9));
    correct(() => void (world.crates.x[0] = 10));
    expect(drawn().crates.x[0]).toBe(1);
    correct(() => void (world.crates.x[0] = 12));
    expect(drawn().crates.x[0]).toBe(12);
    // NaN is never smoothed.
    correct(() => void (world.crates.x[0] = NaN));
    correct(() => void (world.crates.x[0] = 3));
    expect(drawn().crates.x[0]).toBe(3);
  });

  test("clear, and a long pause, end all errors", () => {
    const { world, correct, drawn, smoother } = scene();
    correct(() => void (world.camera.x = 1));
    smoother.clear();
    expect([smoother.count, drawn().camera.x]).toEqual([0, 1]);
    correct(() => void (world.camera.x = 2));
    expect(drawn(1e9).camera.x).toBe(2);
  });
});

test("misuse: the state is never written to", () => {
  const { world, smoother } = scene();
  expect(() => smoother.apply(world)).toThrow("ErrorSmoother.apply: this is the state itself");
  expect(() => smoother.apply(undefined as never)).toThrow("ErrorSmoother: view must be a world or a view");
  expect(() => smoother.advance(-1)).toThrow("ErrorSmoother.advance: ticks must be a number from 0");
});

test("beyond its own motion, a drawn position moves by at most (1 - decay) of the correction per elapsed tick", () => {
  const frame = fc.record({
    ticks: fc.double({ min: 0, max: 3, noNaN: true }),
    own: fc.double({ min: -5, max: 5, noNaN: true }),
    correction: fc.option(fc.double({ min: -20, max: 20, noNaN: true }), { freq: 4, nil: 0 }),
  });
  fc.assert(
    fc.property(fc.array(frame, { minLength: 1, maxLength: 60 }), (frames) => {
      const { world, correct, drawn } = scene();
      world.crates.add();
      let last = 0;
      /** Bounds what is still wrong: the corrections so far. */
      let outstanding = 0;
      for (const { ticks, own, correction } of frames) {
        correct(() => void (world.crates.x[0]! += correction));
        outstanding += Math.abs(correction);
        expect(drawn().crates.x[0]).toBeCloseTo(last, 9);
        world.crates.x[0]! += own;
        const x = drawn(ticks).crates.x[0]!;
        const beyond = Math.abs(x - last - own);
        expect(beyond).toBeLessThanOrEqual((1 - 0.85) * outstanding * ticks + 2.5e-5 + 1e-9);
        last = x;
      }
    }),
  );
});

test("with two views of the same moment, nothing jumps at a correction between two ticks", () => {
  const step = fc.record({
    alpha: fc.double({ min: 0, max: 1, noNaN: true }),
    speed: fc.double({ min: -2, max: 2, noNaN: true }),
    /** By how much the last two states were wrong. */
    wrong: fc.tuple(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 30 }), (steps) => {
      const state = World.allocate(4);
      const smoother = errorSmoothing(World);
      const { camera } = state.world;
      const [PREVIOUS, OLD_VIEW, NEW_VIEW] = [0, 1, 2];
      const see = (view: number, alpha: number) => {
        state.blend(view, PREVIOUS, LIVE, alpha);
        return state.at(view);
      };
      for (const { alpha, speed, wrong } of steps) {
        state.save(PREVIOUS);
        camera.x += speed;
        see(OLD_VIEW, alpha);
        const drawn = see(3, alpha);
        smoother.apply(drawn);
        const { x } = drawn.camera;
        // A rollback computes both states anew.
        state.at(PREVIOUS).camera.x += wrong[0];
        camera.x += wrong[1];
        smoother.corrected(state.at(OLD_VIEW), see(NEW_VIEW, alpha));
        const again = see(3, alpha);
        smoother.apply(again);
        expect(again.camera.x).toBeCloseTo(x, 9);
        smoother.advance(1);
      }
    }),
  );
});

test("after a tick in n frames, from decay to e^(decay - 1) of an error is left", () => {
  // (1 - (1 - decay) / n)^n grows with n, from 0.85 towards 0.8607.
  for (const frames of [1, 2, 4, 16, 1000]) {
    const { world, correct, drawn } = scene({ positions: { smallDecay: 0.85 } });
    correct(() => void (world.camera.x = -1));
    for (let i = 0; i < frames; i++) drawn(1 / frames);
    const left = drawn().camera.x + 1;
    expect(left).toBeGreaterThanOrEqual(0.85 - 1e-12);
    expect(left).toBeLessThan(Math.exp(-0.15));
  }
});
