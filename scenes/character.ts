import { grace } from "../src/input/index.js";
import { bool, f64, i8, u8, type World } from "../src/state/index.js";
import { isSolid, PLATFORM_WIDTH, PLATFORMS, TILE } from "./level.js";

/** Half the width and height of the character, in pixels. Its position is its center. y points down. */
export const HALF_WIDTH = 5;
export const HALF_HEIGHT = 7;

const RUN_SPEED = 150;
/** Acceleration, deceleration without input, and acceleration in the air, in pixels per second squared. */
const RUN_UP = 1200;
const SLOW_DOWN = 1800;
const IN_AIR = 800;
const GRAVITY = 1400;
const FALL_SPEED = 420;
/** Initial speed of a jump: enough for a bit more than three tiles. */
const JUMP_SPEED = 390;
/** Maximum upward speed after the button is released. */
const RELEASE_SPEED = 120;
/** Ticks after leaving an edge in which the character can still jump. */
export const COYOTE_TICKS = 5;
/** Ticks before landing in which a press still counts. */
export const BUFFER_TICKS = 7;
/** Maximum speed of sliding along a wall, and horizontal speed of a jump off a wall. */
const SLIDE_SPEED = 70;
const WALL_JUMP = 170;
/** Maximum rise of a platform per step, in pixels. */
const PLATFORM_RISE = 2;

/** The state of the character. */
export const CHARACTER = {
  x: f64.lerp,
  y: f64.lerp,
  vx: f64,
  vy: f64,
  /** -1 or 1. */
  facing: i8,
  grounded: bool,
  /** The side of the wall that it slides along: -1 or 1; 0 for none. */
  wall: i8,
  /** The platform it stands on, numbered from 1; 0 for none. */
  platform: u8,
  /** Remaining ticks in which it may still jump, and in which a press still counts. */
  coyote: u8,
  buffer: u8,
};
type Character = World<typeof CHARACTER>;

export function run(player: Character, direction: number, dt: number): void {
  const wanted = direction * RUN_SPEED;
  const more = (player.grounded ? (direction === 0 ? SLOW_DOWN : RUN_UP) : IN_AIR) * dt;
  player.vx += Math.min(more, Math.max(-more, wanted - player.vx));
  if (direction !== 0) player.facing = direction < 0 ? -1 : 1;
}

/** Jumps off the ground or a wall, if possible, and returns whether it did. A press slightly too early or too late still counts. */
export function jump(player: Character, isPressed: boolean): boolean {
  player.buffer = grace(player.buffer, isPressed, BUFFER_TICKS);
  // Plus one for the tick that starts on the ground.
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

/** Applies gravity. A jump ends early when the button is released. */
export function pull(player: Character, isHeld: boolean, dt: number): void {
  if (!isHeld && player.vy < -RELEASE_SPEED) player.vy = -RELEASE_SPEED;
  player.vy = Math.min(player.wall !== 0 ? SLIDE_SPEED : FALL_SPEED, player.vy + GRAVITY * dt);
}

const tileOf = (position: number): number => Math.floor(position / TILE);
/** A tolerance, so that touching a tile is not overlapping it. */
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

/** Moves sideways, up to the next wall, and returns whether it hit one. Moves must be shorter than a tile. */
export function moveX(player: Character, by: number): boolean {
  player.x += by;
  const side = by < 0 ? -1 : 1;
  const column = tileOf(player.x + side * (HALF_WIDTH - SKIN));
  if (by === 0 || !isColumnSolid(player, column)) return false;
  player.x = (side < 0 ? column + 1 : column) * TILE - side * HALF_WIDTH;
  return true;
}

/** Moves vertically, up to the next tile or platform. */
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
    // The platform may have risen to the feet in this step.
    if (!isAcross || feet > top + PLATFORM_RISE || player.y + HALF_HEIGHT < top) continue;
    player.y = top - HALF_HEIGHT;
    player.grounded = true;
    player.platform = i + 1;
    player.vy = 0;
  }
}

/** Returns the side of the wall that it pushes against, or 0. */
export function wallBeside(player: Character, direction: number): number {
  if (direction === 0) return 0;
  const side = direction < 0 ? -1 : 1;
  return isColumnSolid(player, tileOf(player.x + side * (HALF_WIDTH + 1))) ? side : 0;
}

/** Whether a point is within reach, on both axes. */
export function isNear(
  { x, y }: Character,
  point: { readonly x: number; readonly y: number },
  reach: number,
): boolean {
  return Math.abs(x - point.x) < HALF_WIDTH + reach && Math.abs(y - point.y) < HALF_HEIGHT + reach;
}
