import { random } from "../../src/math/index.js";
import { axis, button, int, localSession, simulation, type InputSource } from "../../src/sim/index.js";
import { f64, layout, list, table, u32 } from "../../src/state/index.js";

const PLAYERS = 4;

/**
 * The game that the tests of replays record. The golden files are recordings of it, so its behaviour never changes. `change`
 * makes another build, which behaves differently.
 */
export function duel({
  players = 2,
  change = () => {},
}: {
  players?: number;
  change?: (world: { heat: number; speed: Float64Array }, tick: number) => void;
} = {}) {
  return simulation({
    name: "duel",
    version: 1,
    rate: 60,
    players,
    state: layout({
      heat: f64,
      fired: u32,
      at: list(PLAYERS, { x: f64.lerp, speed: f64 }),
      shots: table(16, { x: f64.lerp, speed: f64, age: u32 }),
    }),
    input: {
      left: button,
      right: button,
      fire: button,
      aim: axis(8),
      weapon: int(1, 5),
      lean: axis(16),
      turn: axis(12),
    },
    effects: { shot: { x: f64 } },
    init(world, { random: dice }) {
      for (let i = 0; i < players; i++) world.at.x[i] = 100 * dice.float();
    },
    step(world, inputs, { tick, dt, random: dice, emit }) {
      const { at, shots } = world;
      inputs.forEach((player, i) => {
        at.speed[i]! += (Number(player.right) - Number(player.left) + player.lean - player.turn) * dt;
        at.x[i]! += at.speed[i]! * dt;
        if (!player.pressed.fire || shots.count === shots.capacity) return;
        world.fired += 1;
        world.heat += player.weapon;
        shots.add({ x: at.x[i]!, speed: 10 * player.aim + dice.float() });
        emit("shot", { x: at.x[i]! });
      });
      for (let row = 0; row < shots.end; row++) {
        if (!(shots.id[row]! > 0)) continue;
        shots.x[row]! += shots.speed[row]! * dt;
        if (++shots.age[row]! > 30) shots.remove(shots.id[row]!);
      }
      world.heat *= 0.99;
      change(
        {
          get heat() {
            return world.heat;
          },
          set heat(heat) {
            world.heat = heat;
          },
          speed: at.speed,
        },
        tick,
      );
    },
  });
}

/** Random players who change their inputs about every ten ticks. Their inputs depend only on the seed and the tick. */
export function fidgets(seed: number, players = 2): InputSource[] {
  const dice = random(new Uint32Array(4));
  return Array.from({ length: players }, (_, player) => ({
    sample(words, at, { tick }) {
      dice.seed(seed * 1e6 + Math.floor((tick + 3 * player) / 10) * 64 + player);
      const [a, b] = [dice.u32(), dice.u32()];
      // Now and then a word changes alone, or not at all.
      words[at] = dice.chance(0.8) ? a & 0x3ffff : words[at]!;
      words[at + 1] = dice.chance(0.5) ? b & 0xffff : words[at + 1]!;
    },
  }));
}

/** A session of the game, with random players. */
export function duelSession(seed: number | string = 1, game = duel()) {
  return localSession(game, { seed, inputs: fidgets(typeof seed === "number" ? seed : seed.length) });
}
