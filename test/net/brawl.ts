// A small game for up to eight players whose predictions fail often: everyone runs, and pushes whoever is near.
import { button, int, simulation, type Inputs } from "../../src/sim/index.js";
import { f64, i32, layout, list, u32 } from "../../src/state/index.js";

const INPUT = { go: button, hit: button, way: int(0, 7) };

/** `points` for a hit: peers with other rules desync. */
export const brawlFor = <P extends number>(players: P, points = 1) =>
  simulation({
    name: "brawl",
    version: 1,
    rate: 60,
    players,
    state: layout({
      hits: u32,
      noise: u32,
      absentTicks: u32,
      x: list(8, f64.lerp),
      y: list(8, f64.lerp),
      score: list(8, i32),
    }),
    input: INPUT,
    effects: { hit: { by: u32, at: f64 } },
    step(world, inputs, { random, emit }) {
      world.noise = random.int(0, 1_000_000);
      // The compiler cannot know how many there are.
      const all = inputs as unknown as readonly Inputs<typeof INPUT>[];
      for (let player = 0; player < players; player++) {
        const { go, way, pressed, absent } = all[player]!;
        if (absent) world.absentTicks += 1;
        if (go) {
          world.x[player]! += (way & 3) - 1.5;
          world.y[player]! += (way >> 2) - 0.5;
        }
        if (!pressed.hit) continue;
        for (let other = 0; other < players; other++) {
          if (other === player) continue;
          const distance =
            Math.abs(world.x[player]! - world.x[other]!) + Math.abs(world.y[player]! - world.y[other]!);
          if (distance > 40) continue;
          world.x[other]! += random.float() - 0.5;
          world.score[player]! += points;
          world.hits += 1;
          emit("hit", { by: player, at: world.x[other]! });
        }
      }
    },
  });
