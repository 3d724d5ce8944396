// A game with external state, which only the worker has: a list of numbers that saves itself.
import { f64, layout } from "../../src/state/index.js";
import { simulation } from "../../src/sim/index.js";

export const physics = simulation({
  name: "physics",
  version: 1,
  rate: 60,
  players: 1,
  state: layout({ sum: f64.lerp }),
  external: {
    bodies: () => {
      let numbers = [0];
      return {
        add: (value: number) => void (numbers = [...numbers.slice(-20), value]),
        sum: () => numbers.reduce((sum, value) => sum + value, 0),
        save: () => new Uint8Array(Float64Array.from(numbers).buffer),
        load: (bytes: Uint8Array) => void (numbers = [...new Float64Array(bytes.slice().buffer)]),
        hash: () => [numbers.length, Math.floor(1e6 * numbers.at(-1)!)] as const,
      };
    },
  },
  step(world, _, { external: { bodies }, random }) {
    bodies.add(random.float());
    world.sum = bodies.sum();
  },
});
