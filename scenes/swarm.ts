import type { Numbers } from "../src/blend/index.js";
import {
  explicitEuler,
  rk4Columns,
  semiImplicitEulerColumns,
  velocityVerletColumns,
  type Motion,
  type MotionStep,
} from "../src/integrate/index.js";
import { damp, random, spring, springAll } from "../src/math/index.js";

const COUNT = 64;

/** Byte offsets of the leader, the order and the columns. The three generators come first. */
const LEADER = 3 * 16;
const ORDER = LEADER + 16;
const COLUMNS = ORDER + COUNT;

/** A random swarm that uses all of random, damp, spring and the integrators. Its state is one buffer. */
export function swarm(seed: number | string) {
  const memory = new ArrayBuffer(COLUMNS + 8 * 6 * COUNT);
  const words = new Uint32Array(memory, 0, 12);
  const dice = random(words).seed(seed);
  const winds = dice.fork("winds", random(words, 4));
  const leader = motionIn(new Float64Array(memory, LEADER, 2));
  const order = new Uint8Array(memory, ORDER, COUNT);
  for (let i = 0; i < COUNT; i++) order[i] = i;
  const column = (index: number) => new Float64Array(memory, COLUMNS + 8 * index * COUNT, COUNT);
  const [x, vx, y, vy, goal, heat] = [0, 1, 2, 3, 4, 5].map(column) as Float64Array[];

  const steps: MotionStep[] = [velocityVerletColumns(COUNT, pull), semiImplicitEulerColumns(COUNT, pull)];
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

/** Returns a motion stored in a column: position, then velocity. */
function motionIn(column: Float64Array): Motion {
  return {
    get position() {
      return column[0]!;
    },
    set position(value) {
      column[0] = value;
    },
    get velocity() {
      return column[1]!;
    },
    set velocity(value) {
      column[1] = value;
    },
  };
}

/** Pulls towards the center, less from far away, with drag. */
function pull(out: Numbers, position: Numbers, velocity: Numbers): void {
  for (let i = 0; i < COUNT; i++)
    out[i] = -position[i]! / (1 + position[i]! * position[i]!) - velocity[i]! / 9;
}

/** Returns a 32-bit hash of the whole memory. */
export function swarmHash(memory: ArrayBuffer): number {
  const bytes = new DataView(memory);
  let hash = 0;
  for (let i = 0; i < memory.byteLength; i += 4) {
    hash = Math.imul(hash ^ bytes.getUint32(i, true), 0x01000193);
    hash ^= hash >>> 15;
  }
  return hash >>> 0;
}
