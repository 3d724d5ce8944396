import {
  explicitEuler,
  rk4Columns,
  semiImplicitEulerColumns,
  velocityVerletColumns,
  type MotionStep,
} from "../src/integrate/index.js";
import { damp, random, spring, springAll } from "../src/math/index.js";

const COUNT = 64;

/** Things that wander, follow and fall by chance, by all of random, damp, spring and the integrators. One buffer. */
export function swarm(seed: number | string) {
  const memory = new ArrayBuffer(64 + COUNT + 8 * 6 * COUNT);
  const words = new Uint32Array(memory, 0, 12);
  const lead = new Float64Array(memory, 48, 2);
  const order = new Uint8Array(memory, 64, COUNT);
  for (let i = 0; i < COUNT; i++) order[i] = i;
  const column = (index: number) => new Float64Array(memory, 64 + COUNT + 8 * index * COUNT, COUNT);
  const [x, vx, y, vy, goal, heat] = [0, 1, 2, 3, 4, 5].map(column) as Float64Array[];
  const dice = random(words).seed(seed);
  const winds = dice.fork("winds", random(words, 4));
  const leader = {
    get position() {
      return lead[0]!;
    },
    set position(value) {
      lead[0] = value;
    },
    get velocity() {
      return lead[1]!;
    },
    set velocity(value) {
      lead[1] = value;
    },
  };

  const pullOf = (out: { [index: number]: number }, at: ArrayLike<number>, speed: ArrayLike<number>) => {
    for (let i = 0; i < COUNT; i++) out[i] = -at[i]! / (1 + at[i]! * at[i]!) - speed[i]! / 9;
  };
  const steps: MotionStep[] = [velocityVerletColumns(COUNT, pullOf), semiImplicitEulerColumns(COUNT, pullOf)];
  const cool = rk4Columns(COUNT, (out, state, t) => {
    for (let i = 0; i < COUNT; i++) out[i] = (20 - state[i]!) / 3 + t / 100;
  });

  return {
    memory,
    step(tick: number, dt: number) {
      const t = tick * dt;
      for (const step of steps) step(x!, vx!, t, dt);
      cool(heat!, t, dt);
      springAll(y!, vy!, goal!, 3 + dice.float(), dt);
      explicitEuler(leader, (position) => winds.gaussian(0, 5) - position, t, dt);
      spring(leader, dice.int(-50, 50), 4, dt);
      const i = dice.pick(dice.shuffle(order));
      goal![i] = damp(goal![i]!, leader.position, 1 + dice.below(100), dt);
      if (dice.chance(0.1)) {
        vx![i]! += winds.gaussian();
        heat![i] = 100 * winds.float();
        dice.fork(i, random(words, 8)).u32();
      }
    },
  };
}

/** All of its memory after so many steps, as hexadecimal digits. */
export function swarmHash(seed: number | string, steps: number): string {
  const { memory, step } = swarm(seed);
  for (let tick = 0; tick < steps; tick++) step(tick, 1 / 60);
  return swarmHashOf(memory).toString(16).padStart(8, "0");
}

/** All of its memory, as a number of 32 bits. */
export function swarmHashOf(memory: ArrayBuffer): number {
  const bytes = new DataView(memory);
  let hash = 0;
  for (let i = 0; i < memory.byteLength; i += 4) {
    hash = Math.imul(hash ^ bytes.getUint32(i, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
