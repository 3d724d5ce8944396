// A game for any number of players: everybody walks about a square and pushes who is in the same cell. Each step depends on all inputs.
import { button, int, simulation, type Inputs } from "../../src/sim/index.js";
import { i32, layout, list, u32 } from "../../src/state/index.js";

const INPUT = { way: int(0, 4), hit: button };
const SIDE = 64;
const MOVES = [0, 1, -1, SIDE, -SIDE] as const;

/** `points` for a hit: peers with other rules desync. */
export const plazaFor = <P extends number>(players: P, { rate = 30, points = 1 } = {}) =>
  simulation({
    name: "plaza",
    version: 1,
    rate,
    players,
    state: layout({
      noise: u32,
      absentTicks: u32,
      built: u32,
      at: list(players, i32),
      score: list(players, i32),
    }),
    input: INPUT,
    commands: { build: { what: u32 } },
    init(world) {
      for (let player = 0; player < players; player++) world.at[player] = player * 7;
    },
    step(world, inputs, { random, commands }) {
      world.noise = random.int(0, 1_000_000);
      const all = inputs as unknown as readonly Inputs<typeof INPUT>[];
      const { at, score } = world;
      for (let player = 0; player < players; player++) {
        const input = all[player]!;
        if (input.absent) world.absentTicks++;
        at[player] = (at[player]! + MOVES[input.way]! + SIDE * SIDE) % (SIDE * SIDE);
        if (!input.pressed.hit) continue;
        const other = (player + 1 + (world.noise % (players - 1))) % players;
        at[other] = at[player]!;
        score[player]! += points;
      }
      for (const { what, player } of commands)
        world.built = (Math.imul(world.built, 31) + 8 * what + player) >>> 0;
    },
  });
