// Every method of Random, as a sequence.
import { random, type Random } from "../../src/math/index.js";
import type { Sequence } from "./sequence.js";

const drawn =
  (draw: (dice: Random, index: number) => number): Sequence =>
  () => {
    const dice = random(new Uint32Array(4)).seed("engines");
    return (index) => draw(dice, index);
  };

const LIST = [1.5, -2, 1e300, 5e-324, -0, 7];

export const CHANCE: Record<string, Sequence> = {
  "Random.u32": drawn((dice) => dice.u32()),
  "Random.float": drawn((dice) => dice.float()),
  // Counts of all sizes: multiples of 2^32 over the golden ratio.
  "Random.below": drawn((dice, index) => dice.below(1 + ((index * 2654435761) % 4294967296))),
  "Random.int": drawn((dice, index) => dice.int(-index, 3 * index)),
  "Random.chance": drawn((dice) => Number(dice.chance(1 / 3))),
  "Random.gaussian": drawn((dice) => dice.gaussian(3, 7)),
  "Random.pick": drawn((dice) => dice.pick(LIST)),
  "Random.shuffle": drawn((dice) => dice.shuffle([...LIST])[0]!),
  "Random.fork": drawn((dice, index) => dice.fork(`ö${index}`, random(new Uint32Array(4))).float()),
  "Random.seed": drawn((dice, index) => dice.seed(index * 1e9 - 1e14).u32()),
};
