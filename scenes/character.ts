import { grace } from "../src/input/index.js";
import { bool, f64, i8, u8, type World } from "../src/state/index.js";
import { isSolid, PLATFORM_WIDTH, PLATFORMS, TILE } from "./level.js";

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
/** No platform rises further in a step. */
const PLATFORM_RISE = 2;

/** The character, in the state. */
export const CHARACTER = {
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
};
type Character = World<typeof CHARACTER>;

export function run(player: Character, way: number, dt: number): void {
  const wanted = way * RUN_SPEED;
  const more = (player.grounded ? (way === 0 ? SLOW_DOWN : RUN_UP) : IN_AIR) * dt;
  player.vx += Math.min(more, Math.max(-more, wanted - player.vx));
  if (way !== 0) player.facing = way < 0 ? -1 : 1;
}

/** Jumps off the ground or a wall, if it may, and says so. What comes a little too early or too late still counts. */
export function jump(player: Character, isPressed: boolean): boolean {
  player.buffer = grace(player.buffer, isPressed, BUFFER_TICKS);
  // And in the one that begins on the ground.
  player.coyote = grace(player.coyote, player.grounded, COYOTE_TICKS + 1);
  if (player.buffer === 0 || (player.coyote === 0 && player.wall === 0)) return false;
  if (player.coyote === 0) {
    player.vx = -player.wall * WALL_JUMP;
    player.facing = -player.wall;
  }
  player.vy = -JUMP_SPEED;
  player.grounded = false;
  player.wall = player.platform = player.coyote = player.buffer = 0;
  return true;
}

/** Gravity. A jump ends early when the button is let go. */
export function pull(player: Character, isHeld: boolean, dt: number): void {
  if (!isHeld && player.vy < -CUT_SPEED) player.vy = -CUT_SPEED;
  player.vy = Math.min(player.wall !== 0 ? SLIDE_SPEED : FALL_SPEED, player.vy + GRAVITY * dt);
}

const tileOf = (place: number): number => Math.floor(place / TILE);
/** What only touches a tile is not in it. */
const SKIN = 1e-6;

/** Whether there is a solid tile in a column, at the height of the character. */
function isColumnSolid({ y }: Character, column: number): boolean {
  const last = tileOf(y + HALF_HEIGHT - SKIN);
  for (let row = tileOf(y - HALF_HEIGHT + SKIN); row <= last; row++) if (isSolid(column, row)) return true;
  return false;
}

function isRowSolid({ x }: Character, row: number): boolean {
  const last = tileOf(x + HALF_WIDTH - SKIN);
  for (let column = tileOf(x - HALF_WIDTH + SKIN); column <= last; column++)
    if (isSolid(column, row)) return true;
  return false;
}

/** Moves to a side, up to the next wall; true if there is one. No step is longer than a tile. */
export function moveX(player: Character, by: number): boolean {
  player.x += by;
  const side = by < 0 ? -1 : 1;
  const column = tileOf(player.x + side * (HALF_WIDTH - SKIN));
  if (by === 0 || !isColumnSolid(player, column)) return false;
  player.x = (side < 0 ? column + 1 : column) * TILE - side * HALF_WIDTH;
  return true;
}

/** Moves up or down, up to the next tile or down to a platform. */
export function fall(
  player: Character,
  platforms: { readonly x: Float64Array; readonly y: Float64Array },
  by: number,
): void {
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

/** The side of a wall that it is pressed against; 0 for none. */
export function wallBeside(player: Character, way: number): number {
  if (way === 0) return 0;
  const side = way < 0 ? -1 : 1;
  return isColumnSolid(player, tileOf(player.x + side * (HALF_WIDTH + 1))) ? side : 0;
}

/** Whether a place is within reach, to all sides. */
export function isNear(
  { x, y }: Character,
  place: { readonly x: number; readonly y: number },
  reach: number,
): boolean {
  return Math.abs(x - place.x) < HALF_WIDTH + reach && Math.abs(y - place.y) < HALF_HEIGHT + reach;
}
