// Collisions of balls, with a grid as broad phase. Balls at rest fall asleep, and wake when they are touched.
import { f64, u16, type Columns } from "../src/state/index.js";

/** The size of the box, in pixels. y points down. */
export const WIDTH = 1280;
export const HEIGHT = 720;
export const COUNT = 1000;
export const BUMPER_RADIUS = 40;

const GRAVITY = 1000;
const BOUNCE = 0.5;
const FRICTION = 0.3;
/** Balls do not bounce below this approach speed, in pixels per second. */
const SOFT = 40;
/** Maximum speed of a ball. A faster one would pass through others. */
const MAX_SPEED = 700;
/** Substeps per step. Many small ones keep a pile more stable than many iterations of one. */
const SUBSTEPS = 4;
/** A ball that is slower than this for `SLEEP_TICKS` falls asleep. */
const SLEEP_SPEED = 8;
export const SLEEP_TICKS = 30;
/** A faster ball wakes the balls it touches. Balls within `REACH` pixels count as touching. */
const WAKE_SPEED = 30;
const REACH = 2;

/** Cell size: balls that can collide within a step are in adjacent cells. */
const CELL = 26;
const MAX_GAP = CELL - 20;
const ACROSS = Math.ceil(WIDTH / CELL);
const DOWN = Math.ceil(HEIGHT / CELL);
const MAX_PAIRS = 12 * COUNT;

/** The state of a ball. */
export const BALL = {
  x: f64.lerp,
  y: f64.lerp,
  vx: f64,
  vy: f64,
  radius: f64,
  /** Ticks for which it has been slow. It sleeps from SLEEP_TICKS on. */
  calm: u16,
};
export type Balls = Columns<typeof BALL>;

interface Bumper {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** Moves all balls, after the bumper has moved. */
export function stepBalls(all: Balls, bumper: Bumper, dt: number): void {
  begin(all, bumper);
  findPairs(all, dt);
  const h = dt / SUBSTEPS;
  for (let left = SUBSTEPS - 1; left >= 0; left--) {
    move(all, h);
    separate(all);
    confine(all, bumper.x - bumper.vx * left * h, bumper.y - bumper.vy * left * h);
    bounce(all, h);
  }
  wakeTouched(all);
  rest(all, SLEEP_SPEED * dt);
}

// Scratch memory. Each step writes it before reading it, so nothing is carried over.
const cellOf = new Int32Array(COUNT);
/** The index of each cell's first ball in `sorted`, plus the end of the last cell. */
const cellStart = new Int32Array(ACROSS * DOWN + 1);
const sorted = new Int32Array(COUNT);
let pairs = 0;
const first = new Int32Array(MAX_PAIRS);
const second = new Int32Array(MAX_PAIRS);
/** How far a pair was pushed apart in this substep, and in which direction. */
const pushed = new Float64Array(MAX_PAIRS);
const normalX = new Float64Array(MAX_PAIRS);
const normalY = new Float64Array(MAX_PAIRS);
/** 1 for balls that can be pushed, 0 for sleeping ones. */
const mobility = new Float64Array(COUNT);
/** Positions before the step and before the substep, and velocities before the collisions of the substep. */
const startX = new Float64Array(COUNT);
const startY = new Float64Array(COUNT);
const wasX = new Float64Array(COUNT);
const wasY = new Float64Array(COUNT);
const wasVx = new Float64Array(COUNT);
const wasVy = new Float64Array(COUNT);

/** Determines which balls sleep. A moving bumper wakes the balls it touches. */
function begin({ x, y, radius, calm }: Balls, bumper: Bumper): void {
  const { x: bx, y: by } = bumper;
  const isMoving = bumper.vx !== 0 || bumper.vy !== 0;
  for (let i = 0; i < COUNT; i++) {
    const dx = x[i]! - bx;
    const dy = y[i]! - by;
    const touch = radius[i]! + BUMPER_RADIUS + REACH;
    if (isMoving && dx * dx + dy * dy < touch * touch) calm[i] = 0;
    mobility[i] = calm[i]! < SLEEP_TICKS ? 1 : 0;
    startX[i] = x[i]!;
    startY[i] = y[i]!;
  }
}

/** Sorts the balls by cell, and finds pairs that may collide in this step. Ignores pairs of sleeping balls. */
function findPairs(all: Balls, dt: number): void {
  const { x, y } = all;
  cellStart.fill(0);
  for (let i = 0; i < COUNT; i++) {
    const column = Math.min(ACROSS - 1, Math.max(0, Math.floor(x[i]! / CELL)));
    const row = Math.min(DOWN - 1, Math.max(0, Math.floor(y[i]! / CELL)));
    const cell = row * ACROSS + column;
    cellOf[i] = cell;
    cellStart[cell]! += 1;
  }
  for (let cell = 0, sum = 0; cell <= ACROSS * DOWN; cell++) {
    sum += cellStart[cell]!;
    cellStart[cell] = sum;
  }
  // Backwards, to keep the order of their numbers within a cell.
  for (let i = COUNT - 1; i >= 0; i--) {
    const cell = cellOf[i]!;
    const at = cellStart[cell]! - 1;
    cellStart[cell] = at;
    sorted[at] = i;
  }
  pairs = 0;
  for (let at = 0; at < COUNT; at++) {
    const i = sorted[at]!;
    const cell = cellOf[i]!;
    const column = cell % ACROSS;
    const right = column === ACROSS - 1 ? 1 : 2;
    // The rest of its own cell and the cell to the right are contiguous.
    pairWith(all, i, at + 1, cellStart[cell + right]!, dt);
    const below = cell + ACROSS;
    if (below >= ACROSS * DOWN) continue;
    pairWith(all, i, cellStart[column === 0 ? below : below - 1]!, cellStart[below + right]!, dt);
  }
}

function pairWith({ x, y, vx, vy, radius }: Balls, i: number, from: number, to: number, dt: number): void {
  for (let at = from; at < to; at++) {
    const j = sorted[at]!;
    if (mobility[i]! + mobility[j]! === 0) continue;
    const touch = radius[i]! + radius[j]!;
    const dx = x[j]! - x[i]!;
    const dy = y[j]! - y[i]!;
    const square = dx * dx + dy * dy;
    if (square >= (touch + MAX_GAP) * (touch + MAX_GAP)) continue;
    const speed = Math.abs(vx[j]! - vx[i]!) + Math.abs(vy[j]! - vy[i]!);
    const reach = touch + Math.min(MAX_GAP, REACH + speed * dt);
    if (square >= reach * reach || pairs === MAX_PAIRS) continue;
    first[pairs] = i;
    second[pairs] = j;
    pairs++;
  }
}

function move({ x, y, vx, vy }: Balls, dt: number): void {
  for (let i = 0; i < COUNT; i++) {
    wasX[i] = x[i]!;
    wasY[i] = y[i]!;
    if (mobility[i] === 0) {
      wasVx[i] = wasVy[i] = 0;
      continue;
    }
    vy[i]! += GRAVITY * dt;
    const square = vx[i]! * vx[i]! + vy[i]! * vy[i]!;
    if (square > MAX_SPEED * MAX_SPEED) {
      const factor = MAX_SPEED / Math.sqrt(square);
      vx[i]! *= factor;
      vy[i]! *= factor;
    }
    wasVx[i] = vx[i]!;
    wasVy[i] = vy[i]!;
    x[i]! += vx[i]! * dt;
    y[i]! += vy[i]! * dt;
  }
}

/** Pushes overlapping balls apart. */
function separate({ x, y, radius }: Balls): void {
  for (let n = 0; n < pairs; n++) {
    const i = first[n]!;
    const j = second[n]!;
    const dx = x[j]! - x[i]!;
    const dy = y[j]! - y[i]!;
    const square = dx * dx + dy * dy;
    const touch = radius[i]! + radius[j]!;
    if (square >= touch * touch || square === 0) {
      pushed[n] = 0;
      continue;
    }
    const distance = Math.sqrt(square);
    const nx = dx / distance;
    const ny = dy / distance;
    const by = (touch - distance) / (mobility[i]! + mobility[j]!);
    pushed[n] = by;
    normalX[n] = nx;
    normalY[n] = ny;
    x[i]! -= nx * by * mobility[i]!;
    y[i]! -= ny * by * mobility[i]!;
    x[j]! += nx * by * mobility[j]!;
    y[j]! += ny * by * mobility[j]!;
  }
}

/** Keeps balls out of the bumper and in the box. */
function confine({ x, y, radius }: Balls, bx: number, by: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (mobility[i] === 0) continue;
    const r = radius[i]!;
    const dx = x[i]! - bx;
    const dy = y[i]! - by;
    const touch = r + BUMPER_RADIUS;
    const square = dx * dx + dy * dy;
    if (square < touch * touch && square > 0) {
      const factor = touch / Math.sqrt(square);
      x[i] = bx + dx * factor;
      y[i] = by + dy * factor;
    }
    x[i] = Math.min(WIDTH - r, Math.max(r, x[i]!));
    y[i] = Math.min(HEIGHT - r, Math.max(r, y[i]!));
  }
}

/** Computes velocities after a substep, with restitution and friction. */
function bounce({ x, y, vx, vy, radius }: Balls, dt: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (mobility[i] === 0) continue;
    vx[i] = (x[i]! - wasX[i]!) / dt;
    vy[i] = (y[i]! - wasY[i]!) / dt;
  }
  for (let n = 0; n < pairs; n++) {
    const by = pushed[n]!;
    if (by === 0) continue;
    const i = first[n]!;
    const j = second[n]!;
    const nx = normalX[n]!;
    const ny = normalY[n]!;
    const share = mobility[i]! + mobility[j]!;
    const dvx = vx[j]! - vx[i]!;
    const dvy = vy[j]! - vy[i]!;
    const met = (wasVx[j]! - wasVx[i]!) * nx + (wasVy[j]! - wasVy[i]!) * ny;
    const push = ((met < -SOFT ? -BOUNCE * met : 0) - dvx * nx - dvy * ny) / share;
    const max = (FRICTION * by) / dt;
    const friction = Math.min(max, Math.max(-max, (dvx * ny - dvy * nx) / share));
    const px = push * nx - friction * ny;
    const py = push * ny + friction * nx;
    vx[i]! -= px * mobility[i]!;
    vy[i]! -= py * mobility[i]!;
    vx[j]! += px * mobility[j]!;
    vy[j]! += py * mobility[j]!;
  }
  for (let i = 0; i < COUNT; i++) {
    if (mobility[i] === 0) continue;
    const r = radius[i]!;
    if (x[i]! <= r) vx[i] = Math.max(vx[i]!, reboundSpeed(wasVx[i]!));
    else if (x[i]! >= WIDTH - r) vx[i] = Math.min(vx[i]!, -reboundSpeed(-wasVx[i]!));
    if (y[i]! <= r) vy[i] = Math.max(vy[i]!, reboundSpeed(wasVy[i]!));
    else if (y[i]! >= HEIGHT - r) {
      const after = Math.min(vy[i]!, -reboundSpeed(-wasVy[i]!));
      const max = FRICTION * Math.max(0, wasVy[i]! - after);
      vx[i]! -= Math.min(max, Math.max(-max, vx[i]!));
      vy[i] = after;
    }
  }
}

/** Returns the speed after bouncing off a wall. `speed` is negative towards the wall. */
const reboundSpeed = (speed: number): number => (speed < -SOFT ? -BOUNCE * speed : 0);

/** Wakes sleeping balls that a moving ball touches or leaves. */
function wakeTouched({ vx, vy, calm }: Balls): void {
  for (let n = 0; n < pairs; n++) {
    const i = first[n]!;
    const j = second[n]!;
    if (mobility[i] === mobility[j]) continue;
    const mover = mobility[i] === 1 ? i : j;
    const sleeper = mobility[i] === 1 ? j : i;
    const square = vx[mover]! * vx[mover]! + vy[mover]! * vy[mover]!;
    if (square > WAKE_SPEED * WAKE_SPEED) calm[sleeper] = 0;
  }
}

/** Counts for how long each ball has hardly moved. */
function rest({ x, y, vx, vy, calm }: Balls, max: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (calm[i]! >= SLEEP_TICKS) continue;
    const dx = x[i]! - startX[i]!;
    const dy = y[i]! - startY[i]!;
    calm[i] = dx * dx + dy * dy < max * max ? calm[i]! + 1 : 0;
    if (calm[i] === SLEEP_TICKS) vx[i] = vy[i] = 0;
  }
}

/** Counts sleeping balls. */
export function asleep({ calm }: { readonly calm: ArrayLike<number> }): number {
  let count = 0;
  for (let i = 0; i < COUNT; i++) if (calm[i]! >= SLEEP_TICKS) count++;
  return count;
}
