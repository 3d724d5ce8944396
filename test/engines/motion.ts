// Damping, springs and integrators as sequences: alternating positions and velocities, or their sums.
import * as integrate from "../../src/integrate/index.js";
import { cos, damp, halfLife, random, sin, spring, springAll } from "../../src/math/index.js";
import type { Sequence } from "./sequence.js";

const diceOf = (seed: string) => random(new Uint32Array(4)).seed(seed);

/** A driven pendulum. It is chaotic, so a difference of one bit grows until all bits differ. */
const pendulum: integrate.Acceleration = (position, velocity, t) =>
  1.15 * cos((2 * t) / 3) - sin(position) - velocity / 2;

const DT = 1 / 60;

type Method = (motion: integrate.Motion, acceleration: integrate.Acceleration, t: number, dt: number) => void;

const moved =
  (method: Method): Sequence =>
  () => {
    const motion = { position: 1, velocity: 0 };
    return (index) => {
      if (index % 2 === 1) return motion.velocity;
      method(motion, pendulum, index / 120, DT);
      if (Math.abs(motion.position) > 1000) motion.position %= 6;
      return motion.position;
    };
  };

/** Number of pendulums. */
const ROWS = 8;

type MakeMotionStep = (length: number, accelerations: integrate.Accelerations) => integrate.MotionStep;

const movedColumns =
  (make: MakeMotionStep): Sequence =>
  () => {
    const position = Float64Array.from({ length: ROWS }, (_, i) => 1 + i / ROWS);
    const velocity = new Float64Array(ROWS);
    const step = make(ROWS, (out, x, v, t) => {
      for (let i = 0; i < ROWS; i++) out[i] = pendulum(x[i]!, v[i]!, t);
    });
    return (index) => {
      if (index % (2 * ROWS) === 0) step(position, velocity, index / (120 * ROWS), DT);
      return (index % 2 === 0 ? position : velocity)[(index >> 1) % ROWS]!;
    };
  };

type MakeStateStep = (length: number, derivative: integrate.Derivative) => integrate.StateStep;

/** The same for methods that take a state, which holds the position and the velocity of each pendulum. */
const movedState =
  (make: MakeStateStep): Sequence =>
  () => {
    const state = Float64Array.from({ length: 2 * ROWS }, (_, i) => (i % 2 === 0 ? 1 + i / ROWS : 0));
    const step = make(state.length, (out, from, t) => {
      for (let i = 0; i < 2 * ROWS; i += 2) {
        out[i] = from[i + 1]!;
        out[i + 1] = pendulum(from[i]!, from[i + 1]!, t);
      }
    });
    return (index) => {
      if (index % (2 * ROWS) === 0) step(state, index / (120 * ROWS), DT);
      return state[index % (2 * ROWS)]!;
    };
  };

export const MOTION: Record<string, Sequence> = {
  damp: () => {
    const dice = diceOf("engines");
    return () => damp(dice.gaussian(), dice.gaussian(0, 1e3), halfLife(dice.float()), dice.float());
  },
  spring: () => {
    const dice = diceOf("spring");
    const motion = { position: 0, velocity: 0 };
    return () => spring(motion, dice.int(-9, 9), 1 + 9 * dice.float(), DT).position + motion.velocity;
  },
  springAll: () => {
    const dice = diceOf("springAll");
    const [position, velocity] = [new Float64Array(1), new Float64Array(1)];
    return () => {
      springAll(position, velocity, Float64Array.of(dice.int(-9, 9)), 1 + 99 * dice.float(), DT);
      return position[0]! + velocity[0]!;
    };
  },
  explicitEuler: moved(integrate.explicitEuler),
  semiImplicitEuler: moved(integrate.semiImplicitEuler),
  velocityVerlet: moved(integrate.velocityVerlet),
  rk4: moved(integrate.rk4),
  semiImplicitEulerColumns: movedColumns(integrate.semiImplicitEulerColumns),
  velocityVerletColumns: movedColumns(integrate.velocityVerletColumns),
  explicitEulerColumns: movedState(integrate.explicitEulerColumns),
  rk4Columns: movedState(integrate.rk4Columns),
};
