// A game for a thousand players: everybody walks about a square and pushes others. Each state depends on all inputs.
import { button, int, simulation } from "../dist/sim/index.js";
import { i32, layout, list, u32 } from "../dist/state/index.js";

const SIDE = 128;
const CELLS = SIDE * SIDE;
const MOVES = [0, 1, CELLS - 1, SIDE, CELLS - SIDE];

/** Takes one step. */
function step(world, inputs, { random }) {
  const { at, score } = world;
  const players = at.length;
  const noise = random.u32();
  world.noise = noise;
  for (let player = 0; player < players; player++) {
    const input = inputs[player];
    const cell = (at[player] + MOVES[input.way]) % CELLS;
    at[player] = cell;
    if (!input.hit) continue;
    const other = (player + noise) % players;
    at[other] = cell;
    score[player] += score[other] & 1 ? 2 : 1;
  }
}

/** `timed` wraps the step, to measure it. */
export const squareFor = (players, rate, timed = (run) => run) =>
  simulation({
    name: "square",
    version: 1,
    rate,
    players,
    state: layout({ noise: u32, at: list(players, i32), score: list(players, i32) }),
    input: { way: int(0, 4), hit: button },
    init(world) {
      for (let player = 0; player < players; player++) world.at[player] = (player * 37) % CELLS;
    },
    step: timed(step),
  });
