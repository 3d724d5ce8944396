// What is compared between engines: numbers that follow one another, each a subject by a name.
import { swarm, swarmHashOf } from "../../scenes/swarm.js";
import * as integrate from "../../src/integrate/index.js";
import * as math from "../../src/math/index.js";
import { functionsOf, type Call } from "../math/digest.js";
import { argumentsAt } from "./arguments.js";

export interface Subject {
  /** Begins anew. What it returns is called with 0, 1, 2 and so on, and gives a number for each. */
  open(): (index: number) => number;
  /** Of what a number is the result, in words. */
  tell(index: number): string;
  /** There are no more of them. */
  most: number;
}

/** The subjects. Functions that are planted are the engine's own, of `Math`: to see that it is noticed. */
export function subjectsOf(planted: readonly string[]): Record<string, Subject> {
  const subjects: Record<string, Subject> = {};
  for (const [name, ours] of Object.entries(functionsOf(math))) {
    const call = planted.includes(name) ? (Math as unknown as Record<string, Call>)[name]! : ours;
    subjects[name] = {
      open: () => (index) => call(...argumentsAt(name, index)),
      tell: (index) => told(name, argumentsAt(name, index)),
      most: 1_000_000,
    };
  }
  for (const [name, open] of Object.entries(SEQUENCES))
    subjects[name] = { open, tell: (index) => `${name}, number ${index}`, most: 200_000 };
  for (const seed of ["one", "two"])
    subjects[`swarm ${seed}`] = {
      open: () => openSwarm(seed),
      tell: (index) => `the swarm's hash, seed ${seed}, step ${index}`,
      most: 10_000,
    };
  return subjects;
}

/** A call in words; as text, a zero would lose its sign. */
export const told = (name: string, given: readonly number[]) =>
  `${name}(${given.map((x) => (Object.is(x, -0) ? "-0" : String(x))).join(", ")})`;

type Draw = (dice: math.Random, index: number) => number;

const drawn = (draw: Draw) => () => {
  const dice = math.random(new Uint32Array(4)).seed("engines");
  return (index: number) => draw(dice, index);
};

/** A driven pendulum whose way is chaotic: a bit that differs grows until all do. Place and speed by turns. */
const moved = (step: (motion: integrate.Motion, t: number, dt: number) => void) => () => {
  const motion = { position: 1, velocity: 0 };
  return (index: number) => {
    if (index % 2 === 1) return motion.velocity;
    step(motion, index / 120, 1 / 60);
    if (Math.abs(motion.position) > 1000) motion.position %= 6;
    return motion.position;
  };
};

const pendulum: integrate.Acceleration = (position, velocity, t) =>
  1.15 * math.cos((2 * t) / 3) - math.sin(position) - velocity / 2;

const COUNT = 8;

/** The same for columns. */
const movedColumns =
  (make: (length: number, accelerations: integrate.Accelerations) => integrate.MotionStep) => () => {
    const position = Float64Array.from({ length: COUNT }, (_, i) => 1 + i / COUNT);
    const velocity = new Float64Array(COUNT);
    const step = make(COUNT, (out, x, v, t) => {
      for (let i = 0; i < COUNT; i++) out[i] = pendulum(x[i]!, v[i]!, t);
    });
    return (index: number) => {
      if (index % (2 * COUNT) === 0) step(position, velocity, index / (120 * COUNT), 1 / 60);
      return (index % 2 === 0 ? position : velocity)[(index >> 1) % COUNT]!;
    };
  };

const LIST = [1.5, -2, 1e300, 5e-324, -0, 7];

const SEQUENCES: Record<string, Subject["open"]> = {
  "Random.u32": drawn((dice) => dice.u32()),
  "Random.float": drawn((dice) => dice.float()),
  "Random.below": drawn((dice, index) => dice.below(1 + ((index * 2654435761) % 4294967296))),
  "Random.int": drawn((dice, index) => dice.int(-index, 3 * index)),
  "Random.chance": drawn((dice) => Number(dice.chance(1 / 3))),
  "Random.gaussian": drawn((dice) => dice.gaussian(3, 7)),
  "Random.pick": drawn((dice) => dice.pick(LIST)),
  "Random.shuffle": drawn((dice) => dice.shuffle([...LIST])[0]!),
  "Random.fork": drawn((dice, index) => dice.fork(`ö${index}`, math.random(new Uint32Array(4))).float()),
  "Random.seed": drawn((dice, index) => dice.seed(index * 1e9 - 1e14).u32()),
  damp: drawn((dice) =>
    math.damp(dice.gaussian(), dice.gaussian(0, 1e3), math.halfLife(dice.float()), dice.float()),
  ),
  spring: () => {
    const dice = math.random(new Uint32Array(4)).seed("spring");
    const motion = { position: 0, velocity: 0 };
    return () =>
      math.spring(motion, dice.int(-9, 9), 1 + 9 * dice.float(), 1 / 60).position + motion.velocity;
  },
  springAll: () => {
    const dice = math.random(new Uint32Array(4)).seed("springAll");
    const [position, velocity] = [new Float64Array(1), new Float64Array(1)];
    return () => {
      math.springAll(position, velocity, Float64Array.of(dice.int(-9, 9)), 1 + 99 * dice.float(), 1 / 60);
      return position[0]! + velocity[0]!;
    };
  },
  explicitEuler: moved((motion, t, dt) => integrate.explicitEuler(motion, pendulum, t, dt)),
  semiImplicitEuler: moved((motion, t, dt) => integrate.semiImplicitEuler(motion, pendulum, t, dt)),
  velocityVerlet: moved((motion, t, dt) => integrate.velocityVerlet(motion, pendulum, t, dt)),
  rk4: moved((motion, t, dt) => integrate.rk4(motion, pendulum, t, dt)),
  semiImplicitEulerColumns: movedColumns(integrate.semiImplicitEulerColumns),
  velocityVerletColumns: movedColumns(integrate.velocityVerletColumns),
  explicitEulerColumns: openState(integrate.explicitEulerColumns),
  rk4Columns: openState(integrate.rk4Columns),
};

/** The same for the methods that take a state: a place and a speed of each. */
function openState(make: (length: number, derivative: integrate.Derivative) => integrate.StateStep) {
  return () => {
    const state = Float64Array.from({ length: 2 * COUNT }, (_, i) => (i % 2 === 0 ? 1 + i / COUNT : 0));
    const step = make(state.length, (out, from, t) => {
      for (let i = 0; i < 2 * COUNT; i += 2) {
        out[i] = from[i + 1]!;
        out[i + 1] = pendulum(from[i]!, from[i + 1]!, t);
      }
    });
    return (index: number) => {
      if (index % (2 * COUNT) === 0) step(state, index / (120 * COUNT), 1 / 60);
      return state[index % (2 * COUNT)]!;
    };
  };
}

function openSwarm(seed: string): (index: number) => number {
  const { memory, step } = swarm(seed);
  return (index) => {
    step(index, 1 / 60);
    return swarmHashOf(memory);
  };
}
