import { grace } from "../src/input/index.js";
import { cosTurns } from "../src/math/index.js";
import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import {
  bool,
  f64,
  i8,
  layout,
  list,
  table,
  teleport,
  u16,
  u32,
  u8,
  type World,
} from "../src/state/index.js";
import {
  COINS,
  COLUMNS,
  EXIT,
  FLAGS,
  isSolid,
  PLATFORM_WIDTH,
  PLATFORMS,
  ROWS,
  SPIKES,
  START,
  TILE,
} from "./level.js";
import { diceAt } from "./scene.js";

/** Half of what the character is wide and high, in pixels; its place is its middle, and y goes down. */
export const HALF_WIDTH = 5;
export const HALF_HEIGHT = 7;

const RUN_SPEED = 150;
/** How fast it gets faster, slows down by itself, and turns in the air; pixels a second, each second. */
const RUN_UP = 1200;
const SLOW_DOWN = 1800;
const IN_AIR = 800;
const GRAVITY = 1400;
const FALL_SPEED = 420;
/** As it leaves the ground: enough for three tiles and a bit. */
const JUMP_SPEED = 390;
/** What is left of it at most when the button is let go. */
const CUT_SPEED = 120;
/** Ticks in the air, after an edge, in which it can still jump. */
export const COYOTE_TICKS = 5;
/** Ticks before the ground in which a press still counts. */
export const BUFFER_TICKS = 7;
/** Along a wall it slides no faster, and from one it jumps off like this. */
const SLIDE_SPEED = 70;
const WALL_JUMP = 170;
/** Half of a coin and of a tile of spikes, as far as they are felt. */
const COIN_REACH = 6;
const SPIKE_REACH = 5;

const Level = layout({
  player: {
    x: f64.lerp,
    y: f64.lerp,
    vx: f64,
    vy: f64,
    /** -1 or 1. */
    facing: i8,
    grounded: bool,
    /** The side of the wall that it slides along; 0 for none. */
    wall: i8,
    /** The number of the platform it stands on, from 1 on; 0 for none. */
    platform: u8,
    /** Ticks in which it may still jump; in which a press of the button still counts. */
    coyote: u8,
    buffer: u8,
  },
  platforms: list(PLATFORMS.length, { x: f64.lerp, y: f64.lerp }),
  coins: table(COINS.length, { x: f64, y: f64 }),
  score: u32,
  falls: u32,
  /** The number of the flag it goes on from, from 1 on; 0 is the start. */
  flag: u8,
  /** Runs that came to the exit, ticks of this one and of the best. */
  finished: u16,
  ticks: u32,
  best: u32,
});
type LevelWorld = World<(typeof Level)["fields"]>;
type Player = LevelWorld["player"];

const INPUT = { left: button, right: button, jump: button, stick: axis(6) };

/** A character in a small level: coins to collect, pits and spikes, platforms that move, an exit that begins it anew. */
export const platformer = simulation({
  name: "platformer",
  version: 1,
  rate: 60,
  state: Level,
  input: INPUT,
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

    const way = input.stick !== 0 ? input.stick : Number(input.right) - Number(input.left);
    run(player, way, dt);
    player.buffer = grace(player.buffer, input.pressed.jump, BUFFER_TICKS);
    // And in the one that begins on the ground.
    player.coyote = grace(player.coyote, player.grounded, COYOTE_TICKS + 1);
    if (player.buffer > 0 && (player.coyote > 0 || player.wall !== 0)) {
      jump(player);
      emit("jump", { x: player.x, y: player.y });
    }
    if (!input.jump && player.vy < -CUT_SPEED) player.vy = -CUT_SPEED;

    player.vy = Math.min(player.wall !== 0 ? SLIDE_SPEED : FALL_SPEED, player.vy + GRAVITY * dt);
    if (moveX(player, player.vx * dt)) player.vx = 0;
    const speed = player.vy;
    const wasGrounded = player.grounded;
    fall(player, platforms, player.vy * dt);
    player.wall = player.grounded || player.vy <= 0 ? 0 : wallBeside(player, way);
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

/** A new run: all coins are there again, and the character stands at the start. */
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
  teleport(player);
}

/** Where they are is reckoned from the time, and never summed. */
function placePlatforms({ platforms: { x, y } }: LevelWorld, time: number): void {
  for (let i = 0; i < PLATFORMS.length; i++) {
    const { from, to, period } = PLATFORMS[i]!;
    const at = (1 - cosTurns(time / period)) / 2;
    x[i] = from[0] + (to[0] - from[0]) * at;
    y[i] = from[1] + (to[1] - from[1]) * at;
  }
}

function run(player: Player, way: number, dt: number): void {
  const wanted = way * RUN_SPEED;
  const more = (player.grounded ? (way === 0 ? SLOW_DOWN : RUN_UP) : IN_AIR) * dt;
  player.vx += Math.min(more, Math.max(-more, wanted - player.vx));
  if (way !== 0) player.facing = way < 0 ? -1 : 1;
}

function jump(player: Player): void {
  if (player.coyote === 0) {
    player.vx = -player.wall * WALL_JUMP;
    player.facing = -player.wall;
  }
  player.vy = -JUMP_SPEED;
  player.grounded = false;
  player.wall = player.platform = player.coyote = player.buffer = 0;
}

const tileOf = (place: number): number => Math.floor(place / TILE);
/** What only touches a tile is not in it. */
const SKIN = 1e-6;

/** Whether there is a solid tile in a column, at the height of the character. */
function isColumnSolid({ y }: Player, column: number): boolean {
  const last = tileOf(y + HALF_HEIGHT - SKIN);
  for (let row = tileOf(y - HALF_HEIGHT + SKIN); row <= last; row++) if (isSolid(column, row)) return true;
  return false;
}

function isRowSolid({ x }: Player, row: number): boolean {
  const last = tileOf(x + HALF_WIDTH - SKIN);
  for (let column = tileOf(x - HALF_WIDTH + SKIN); column <= last; column++)
    if (isSolid(column, row)) return true;
  return false;
}

/** Moves to a side, up to the next wall; true if there is one. No step is longer than a tile. */
function moveX(player: Player, by: number): boolean {
  player.x += by;
  const side = by < 0 ? -1 : 1;
  const column = tileOf(player.x + side * (HALF_WIDTH - SKIN));
  if (by === 0 || !isColumnSolid(player, column)) return false;
  player.x = (side < 0 ? column + 1 : column) * TILE - side * HALF_WIDTH;
  return true;
}

/** Moves up or down, up to the next tile or down to a platform. */
function fall(player: Player, platforms: LevelWorld["platforms"], by: number): void {
  const feet = player.y + HALF_HEIGHT;
  player.y += by;
  player.grounded = false;
  player.platform = 0;
  const row = tileOf(player.y + (by < 0 ? -1 : 1) * (HALF_HEIGHT - SKIN));
  if (isRowSolid(player, row)) {
    player.y = by < 0 ? (row + 1) * TILE + HALF_HEIGHT : row * TILE - HALF_HEIGHT;
    player.grounded = by >= 0;
    player.vy = 0;
  }
  if (by < 0) return;
  for (let i = 0; i < PLATFORMS.length; i++) {
    const top = platforms.y[i]!;
    const isAcross = Math.abs(player.x - platforms.x[i]!) < PLATFORM_WIDTH / 2 + HALF_WIDTH;
    // It may have come up to the feet in this step too.
    if (!isAcross || feet > top + PLATFORM_RISE || player.y + HALF_HEIGHT < top) continue;
    player.y = top - HALF_HEIGHT;
    player.grounded = true;
    player.platform = i + 1;
    player.vy = 0;
  }
}
/** No platform rises further in a step. */
const PLATFORM_RISE = 2;

/** The side of a wall that it is pressed against; 0 for none. */
function wallBeside(player: Player, way: number): number {
  if (way === 0) return 0;
  const side = way < 0 ? -1 : 1;
  return isColumnSolid(player, tileOf(player.x + side * (HALF_WIDTH + 1))) ? side : 0;
}

function isNear({ x, y }: Player, place: { readonly x: number; readonly y: number }, reach: number): boolean {
  return Math.abs(x - place.x) < HALF_WIDTH + reach && Math.abs(y - place.y) < HALF_HEIGHT + reach;
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
    // At any height: nobody jumps over it.
    if (Math.abs(world.player.x - FLAGS[i]!.x) < HALF_WIDTH + TILE / 2) {
      world.flag = i + 1;
      return true;
    }
  return false;
}

/** The level's size, in pixels. */
export const LEVEL_WIDTH = COLUMNS * TILE;
export const LEVEL_HEIGHT = ROWS * TILE;

/** The script begins anew when all platforms are where they began. */
const ROUND = 2160;
/** It stands still at first, then runs about by chance, then goes a way that was found by trial and ends at the exit. */
const STILL = 30;
const BY_CHANCE = 630;
/** What is done on this way, for so many ticks each: still, left, right; and the same while the button is down. */
const STRETCH = 6;
const WAY =
  "2255555253115555255555553222255522555155551211511332222532222255552225555522222555522512552222255552" +
  "5555525525522511300000001542222222225512255255044";

/** Falls into pits by chance, then comes through; and again. */
export function platformerScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const at = tick % ROUND;
  player.left = player.right = player.jump = false;
  player.stick = 0;
  if (at < STILL) return;
  if (at >= BY_CHANCE) {
    const done = Number(WAY[Math.floor((at - BY_CHANCE) / STRETCH)] ?? 0);
    player.left = done % 3 === 1;
    player.right = done % 3 === 2;
    player.jump = done >= 3;
    return;
  }
  const way = diceAt(1, at, 24).float();
  player.left = way < 0.15;
  player.right = way > 0.2;
  player.stick = diceAt(2, at, 90).chance(0.2) ? 2 * diceAt(3, at, 10).float() - 0.6 : 0;
  const press = diceAt(4, at, 32);
  const from = press.below(12);
  const length = 2 + press.below(18);
  player.jump = press.chance(0.85) && at % 32 >= from && at % 32 < from + length;
}
