import { cosTurns } from "../src/math/index.js";
import { axis, button, simulation } from "../src/sim/index.js";
import { f64, layout, list, table, skipBlend, u16, u32, u8, type World } from "../src/state/index.js";
import {
  CHARACTER,
  fall,
  HALF_HEIGHT,
  HALF_WIDTH,
  isNear,
  jump,
  moveX,
  pull,
  run,
  wallBeside,
} from "./character.js";
import { COINS, EXIT, FLAGS, PLATFORMS, ROWS, SPIKES, START, TILE } from "./level.js";

/** Half the size of the area in which coins and spikes are touched, in pixels. */
const COIN_REACH = 6;
const SPIKE_REACH = 5;

const Level = layout({
  player: CHARACTER,
  platforms: list(PLATFORMS.length, { x: f64.lerp, y: f64.lerp }),
  coins: table(COINS.length, { x: f64, y: f64 }),
  score: u32,
  falls: u32,
  /** The flag where the player respawns, numbered from 1; 0 for the start. */
  flag: u8,
  /** Finished runs; ticks of the current run, and of the best one. */
  finished: u16,
  ticks: u32,
  best: u32,
});
type LevelWorld = World<(typeof Level)["fields"]>;

export const PLATFORMER_INPUT = { left: button, right: button, jump: button, stick: axis(6) };

/** A character in a small level with coins, pits, spikes, moving platforms, and an exit that restarts it. */
export const platformer = simulation({
  name: "platformer",
  version: 1,
  rate: 60,
  state: Level,
  input: PLATFORMER_INPUT,
  effects: {
    jump: { x: f64, y: f64 },
    land: { x: f64, y: f64, speed: f64 },
    coin: { x: f64, y: f64 },
    fall: { x: f64, y: f64 },
    flag: { x: f64, y: f64 },
    exit: { x: f64, y: f64, ticks: u32 },
  },
  init(world) {
    placePlatforms(world, 0);
    begin(world);
  },
  step(world, [input], { tick, dt, emit }) {
    const { player, platforms } = world;
    world.ticks += 1;
    const on = player.platform - 1;
    const fromX = on >= 0 ? platforms.x[on]! : 0;
    placePlatforms(world, (tick + 1) * dt);
    if (on >= 0) {
      moveX(player, platforms.x[on]! - fromX);
      player.y = platforms.y[on]! - HALF_HEIGHT;
    }

    const direction = input.stick !== 0 ? input.stick : Number(input.right) - Number(input.left);
    run(player, direction, dt);
    if (jump(player, input.pressed.jump)) emit("jump", { x: player.x, y: player.y });
    pull(player, input.jump, dt);
    if (moveX(player, player.vx * dt)) player.vx = 0;
    const speed = player.vy;
    const wasGrounded = player.grounded;
    fall(player, platforms, player.vy * dt);
    player.wall = player.grounded || player.vy <= 0 ? 0 : wallBeside(player, direction);
    if (player.grounded && !wasGrounded) emit("land", { x: player.x, y: player.y, speed });

    const { x, y } = player;
    if (collect(world)) emit("coin", { x, y });
    if (reachFlag(world)) emit("flag", { x, y });
    if (y > ROWS * TILE + 3 * TILE || SPIKES.some((spikes) => isNear(player, spikes, SPIKE_REACH))) {
      emit("fall", { x, y });
      world.falls += 1;
      respawn(world);
    } else if (isNear(player, EXIT, TILE / 2)) {
      emit("exit", { x, y, ticks: world.ticks });
      world.finished += 1;
      world.best = world.best === 0 ? world.ticks : Math.min(world.best, world.ticks);
      begin(world);
    }
  },
});

/** Starts a new run with all coins, at the start. */
function begin(world: LevelWorld): void {
  world.coins.clear();
  for (const coin of COINS) world.coins.add(coin);
  world.flag = 0;
  world.ticks = 0;
  respawn(world);
}

function respawn({ player, flag }: LevelWorld): void {
  const { x, y } = flag > 0 ? FLAGS[flag - 1]! : START;
  player.x = x;
  player.y = y;
  player.vx = player.vy = 0;
  player.facing = 1;
  player.grounded = false;
  player.wall = player.platform = player.coyote = player.buffer = 0;
  skipBlend(player);
}

/** Computes the positions from the time, as summing would accumulate errors. */
function placePlatforms({ platforms: { x, y } }: LevelWorld, time: number): void {
  for (let i = 0; i < PLATFORMS.length; i++) {
    const { from, to, period } = PLATFORMS[i]!;
    const at = (1 - cosTurns(time / period)) / 2;
    x[i] = from[0] + (to[0] - from[0]) * at;
    y[i] = from[1] + (to[1] - from[1]) * at;
  }
}

function collect(world: LevelWorld): boolean {
  const { player, coins } = world;
  const { x, y, id } = coins;
  let found = false;
  for (let i = 0; i < coins.end; i++) {
    if (id[i]! <= 0 || !isNear(player, { x: x[i]!, y: y[i]! }, COIN_REACH)) continue;
    coins.remove(id[i]!);
    world.score += 1;
    found = true;
  }
  return found;
}

function reachFlag(world: LevelWorld): boolean {
  for (let i = world.flag; i < FLAGS.length; i++)
    // At any height, so that it cannot be jumped over.
    if (Math.abs(world.player.x - FLAGS[i]!.x) < HALF_WIDTH + TILE / 2) {
      world.flag = i + 1;
      return true;
    }
  return false;
}
