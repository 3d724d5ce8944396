// A game for a thousand players: everybody walks about a square and pushes others. Each state depends on all inputs.
import { int, simulation } from "../dist/sim/index.js";
import { layout, list, u16, u32 } from "../dist/state/index.js";

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
    const { act } = inputs[player];
    const cell = (at[player] + MOVES[act % 5]) % CELLS;
    at[player] = cell;
    if (act < 5) continue;
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
    state: layout({ noise: u32, at: list(players, u16), score: list(players, u16) }),
    // Which way to walk, plus 5 to push somebody.
    input: { act: int(0, 9) },
    init(world) {
      for (let player = 0; player < players; player++) world.at[player] = (player * 37) % CELLS;
    },
    step: timed(step),
  });
