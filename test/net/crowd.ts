// A game for clients of servers that send states: players walk among many that wander, and throw stones at them.
import { axis, button, simulation } from "../../src/sim/index.js";
import { f64, layout, table, u32, u8 } from "../../src/state/index.js";

export interface CrowdOptions {
  readonly wanderers?: number;
  /** How far the wanderers are apart: a client with another one computes other states. */
  readonly speed?: number;
  /** The smallest step of positions on the wire. */
  readonly quantum?: number;
  /** What the secret fields begin with. */
  readonly secret?: number;
}

/** Creates the game. It moves only by what its state and inputs say, so equal bytes mean equal states. */
export function crowd({ wanderers = 40, speed = 1, quantum = 0, secret = 1 }: CrowdOptions = {}) {
  const place = quantum > 0 ? f64.lerp.quantize(quantum) : f64.lerp;
  return simulation({
    name: "crowd",
    version: 1,
    rate: 60,
    players: 4,
    state: layout({
      round: u32,
      players: table(4, { seat: u8, x: place, y: place }),
      wanderers: table(1024, { x: place, y: place, vx: f64, vy: f64, ticks: u32 }),
      stones: table(64, { by: u8, x: place, y: place, vx: f64, age: u32 }),
      plan: u32.secret,
      traps: table(16, { x: f64, y: f64 }).secret,
    }),
    input: { right: axis(8), down: axis(8), throw: button },
    init(world, { random }) {
      for (let seat = 0; seat < 4; seat++) world.players.add({ seat, x: 10 * seat, y: 0 });
      for (let i = 0; i < wanderers; i++)
        world.wanderers.add({
          x: random.float() * 100,
          y: random.float() * 100,
          vx: (random.float() - 0.5) * speed,
          vy: (random.float() - 0.5) * speed,
        });
      world.plan = secret;
      for (let i = 0; i < secret % 16; i++) world.traps.add({ x: secret * i, y: i });
    },
    step(world, inputs) {
      world.round += 1;
      world.plan = (world.plan * 5 + 1) >>> 0;
      for (const player of world.players) {
        const { right, down, pressed } = inputs[player.seat as 0];
        player.x += right * 0.2;
        player.y += down * 0.2;
        if (pressed.throw && world.stones.count < 60)
          world.stones.add({ by: player.seat, x: player.x, y: player.y, vx: 0.5, age: 0 });
      }
      for (const one of world.wanderers) {
        // Whoever is behind the tick is stale.
        one.ticks += 1;
        one.x += one.vx;
        one.y += one.vy;
        if (one.x < 0 || one.x > 100) one.vx = -one.vx;
        if (one.y < 0 || one.y > 100) one.vy = -one.vy;
      }
      for (const stone of world.stones) {
        stone.x += stone.vx;
        stone.age += 1;
        if (stone.age > 120) world.stones.remove(stone);
      }
    },
  });
}
