// The game of the worker bench: a pile of bodies. Each step takes a given number of milliseconds. Page, worker and Node share it.
import { simulation } from "../dist/sim/index.js";
import { f64, layout, quat, table } from "../dist/state/index.js";

/** Costs of a step, in milliseconds. */
export const COSTS = [1, 8, 14];

/** What the last steps cost, in milliseconds, in the thread that takes them. */
const costs = new Float64Array(2048);
let steps = 0;

/** Keeps this thread busy until a time of `performance.now`. Reads the clock rarely, as that allocates. */
export function spendUntil(end) {
  let sum = 1;
  while (performance.now() < end) for (let i = 0; i < 2000; i++) sum = (sum * 31 + i) | 0;
  return sum;
}

/** Creates the game. Its steps move all bodies, and take `cost` milliseconds. */
export const pile = (cost, bodies = 1000) =>
  simulation({
    name: "pile",
    version: 1,
    rate: 60,
    state: layout({
      /** When the last step ended, by the clock of its thread. */
      endedAt: f64,
      bodies: table(bodies, { x: f64.lerp, y: f64.lerp, z: f64.lerp, spin: f64, turn: quat.nlerp }),
    }),
    init(world) {
      for (let i = 0; i < bodies; i++)
        world.bodies.add({ x: i % 10, y: i / 10, z: i % 7, spin: 0.01 + i / 1e5, turn: [0, 0, 0, 1] });
    },
    step(world, _, { dt }) {
      const begun = performance.now();
      const { x, y, z, spin, turn } = world.bodies;
      for (let i = 0; i < bodies; i++) {
        x[i] += dt;
        y[i] -= dt * spin[i];
        z[i] += dt * 0.5;
        const half = 0.5 * spin[i] * (x[i] - i);
        turn[4 * i + 2] = Math.sin(half);
        turn[4 * i + 3] = Math.cos(half);
      }
      if (cost > 0) spendUntil(begun + cost);
      const ended = performance.now();
      costs[steps++ % costs.length] = ended - begun;
      world.endedAt = ended;
    },
  });

/** Returns what the last steps of this thread cost, sorted. */
export const lastCosts = () => costs.slice(0, Math.min(steps, costs.length)).sort();

/** Returns the value of sorted numbers that `share` of them do not exceed. As the delay, it leaves out the largest two of 2048. */
export const quantile = (sorted, share) =>
  sorted[sorted.length - 1 - Math.floor((1 - share) * sorted.length + 1e-9)];
