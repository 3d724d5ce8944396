// Balls that push one another apart, in a grid. What lies still sleeps, what is touched wakes.
import { f64, u16, type Columns } from "../src/state/index.js";

/** The box, in pixels; y goes down. */
export const WIDTH = 1280;
export const HEIGHT = 720;
export const COUNT = 1000;
export const BUMPER_RADIUS = 40;

const GRAVITY = 1000;
const BOUNCE = 0.5;
const FRICTION = 0.3;
/** Below this approach, in pixels a second, nothing bounces. */
const SOFT = 40;
/** No ball is faster: it would jump over another one. */
const TOP_SPEED = 700;
/** Steps within a step: many small ones hold a pile up better than one with many rounds. */
const SUBSTEPS = 4;
/** Who was slower than this for so many ticks falls asleep. */
const SLEEP_SPEED = 8;
export const SLEEP_TICKS = 30;
/** Who is faster wakes what it touches; what is nearer than this counts as touched. */
const WAKE_SPEED = 30;
const REACH = 2;

/** A cell is wider than two balls that may meet within a step are apart. */
const CELL = 26;
const MOST_GAP = CELL - 20;
const ACROSS = Math.ceil(WIDTH / CELL);
const DOWN = Math.ceil(HEIGHT / CELL);
const MOST_PAIRS = 12 * COUNT;

/** A ball, in the state. */
export const BALL = {
  x: f64.lerp,
  y: f64.lerp,
  vx: f64,
  vy: f64,
  radius: f64,
  /** Ticks for which it has been slow; it sleeps from SLEEP_TICKS on. */
  calm: u16,
};
export type Balls = Columns<typeof BALL>;

interface Bumper {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
}

/** Moves all balls. The bumper has moved already. */
export function stepBalls(all: Balls, bumper: Bumper, dt: number): void {
  begin(all, bumper);
  findPairs(all, dt);
  const h = dt / SUBSTEPS;
  for (let left = SUBSTEPS - 1; left >= 0; left--) {
    move(all, h);
    part(all);
    hold(all, bumper.x - bumper.vx * left * h, bumper.y - bumper.vy * left * h);
    bounce(all, h);
  }
  wakeTouched(all);
  rest(all, SLEEP_SPEED * dt);
}

// What a step needs beside the state. All of it is written anew in each: nothing comes from the step before.
const cellOf = new Int32Array(COUNT);
/** Where the balls of a cell begin in `sorted`; those of the last end where one more would. */
const cellStart = new Int32Array(ACROSS * DOWN + 1);
const sorted = new Int32Array(COUNT);
let pairs = 0;
const first = new Int32Array(MOST_PAIRS);
const second = new Int32Array(MOST_PAIRS);
/** How far two balls were moved apart in this substep, and along what. */
const pushed = new Float64Array(MOST_PAIRS);
const normalX = new Float64Array(MOST_PAIRS);
const normalY = new Float64Array(MOST_PAIRS);
/** Shares of a push: a sleeper has none. */
const give = new Float64Array(COUNT);
/** Where balls were before the step, and before the substep; how fast they were before they met anything in it. */
const startX = new Float64Array(COUNT);
const startY = new Float64Array(COUNT);
const wasX = new Float64Array(COUNT);
const wasY = new Float64Array(COUNT);
const wasVx = new Float64Array(COUNT);
const wasVy = new Float64Array(COUNT);

/** Finds out who sleeps. The bumper wakes what it touches while it moves. */
function begin({ x, y, radius, calm }: Balls, bumper: Bumper): void {
  const { x: bx, y: by } = bumper;
  const isMoving = bumper.vx !== 0 || bumper.vy !== 0;
  for (let i = 0; i < COUNT; i++) {
    const dx = x[i]! - bx;
    const dy = y[i]! - by;
    const touch = radius[i]! + BUMPER_RADIUS + REACH;
    if (isMoving && dx * dx + dy * dy < touch * touch) calm[i] = 0;
    give[i] = calm[i]! < SLEEP_TICKS ? 1 : 0;
    startX[i] = x[i]!;
    startY[i] = y[i]!;
  }
}

/** Sorts the balls by cells, and finds those that may meet in this step. Two sleepers are no pair. */
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
  // From the last on, so that they lie in order of their numbers.
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
    // The rest of its own cell, and the cell to the right, lie one after the other.
    pairWith(all, i, at + 1, cellStart[cell + right]!, dt);
    const below = cell + ACROSS;
    if (below >= ACROSS * DOWN) continue;
    pairWith(all, i, cellStart[column === 0 ? below : below - 1]!, cellStart[below + right]!, dt);
  }
}

function pairWith({ x, y, vx, vy, radius }: Balls, i: number, from: number, to: number, dt: number): void {
  for (let at = from; at < to; at++) {
    const j = sorted[at]!;
    if (give[i]! + give[j]! === 0) continue;
    const touch = radius[i]! + radius[j]!;
    const dx = x[j]! - x[i]!;
    const dy = y[j]! - y[i]!;
    const square = dx * dx + dy * dy;
    if (square >= (touch + MOST_GAP) * (touch + MOST_GAP)) continue;
    const speed = Math.abs(vx[j]! - vx[i]!) + Math.abs(vy[j]! - vy[i]!);
    const reach = touch + Math.min(MOST_GAP, REACH + speed * dt);
    if (square >= reach * reach || pairs === MOST_PAIRS) continue;
    first[pairs] = i;
    second[pairs] = j;
    pairs++;
  }
}

function move({ x, y, vx, vy }: Balls, dt: number): void {
  for (let i = 0; i < COUNT; i++) {
    wasX[i] = x[i]!;
    wasY[i] = y[i]!;
    if (give[i] === 0) {
      wasVx[i] = wasVy[i] = 0;
      continue;
    }
    vy[i]! += GRAVITY * dt;
    const square = vx[i]! * vx[i]! + vy[i]! * vy[i]!;
    if (square > TOP_SPEED * TOP_SPEED) {
      const factor = TOP_SPEED / Math.sqrt(square);
      vx[i]! *= factor;
      vy[i]! *= factor;
    }
    wasVx[i] = vx[i]!;
    wasVy[i] = vy[i]!;
    x[i]! += vx[i]! * dt;
    y[i]! += vy[i]! * dt;
  }
}

/** Moves apart what overlaps. */
function part({ x, y, radius }: Balls): void {
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
    const by = (touch - distance) / (give[i]! + give[j]!);
    pushed[n] = by;
    normalX[n] = nx;
    normalY[n] = ny;
    x[i]! -= nx * by * give[i]!;
    y[i]! -= ny * by * give[i]!;
    x[j]! += nx * by * give[j]!;
    y[j]! += ny * by * give[j]!;
  }
}

/** Keeps balls out of the bumper and in the box. */
function hold({ x, y, radius }: Balls, bx: number, by: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (give[i] === 0) continue;
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

/** Velocities after a substep: what was moved, what met, and with which bounce and friction. */
function bounce({ x, y, vx, vy, radius }: Balls, dt: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (give[i] === 0) continue;
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
    const share = give[i]! + give[j]!;
    const dvx = vx[j]! - vx[i]!;
    const dvy = vy[j]! - vy[i]!;
    const met = (wasVx[j]! - wasVx[i]!) * nx + (wasVy[j]! - wasVy[i]!) * ny;
    const push = ((met < -SOFT ? -BOUNCE * met : 0) - dvx * nx - dvy * ny) / share;
    const most = (FRICTION * by) / dt;
    const rub = Math.min(most, Math.max(-most, (dvx * ny - dvy * nx) / share));
    const px = push * nx - rub * ny;
    const py = push * ny + rub * nx;
    vx[i]! -= px * give[i]!;
    vy[i]! -= py * give[i]!;
    vx[j]! += px * give[j]!;
    vy[j]! += py * give[j]!;
  }
  for (let i = 0; i < COUNT; i++) {
    if (give[i] === 0) continue;
    const r = radius[i]!;
    if (x[i]! <= r) vx[i] = Math.max(vx[i]!, returned(wasVx[i]!));
    else if (x[i]! >= WIDTH - r) vx[i] = Math.min(vx[i]!, -returned(-wasVx[i]!));
    if (y[i]! <= r) vy[i] = Math.max(vy[i]!, returned(wasVy[i]!));
    else if (y[i]! >= HEIGHT - r) {
      const after = Math.min(vy[i]!, -returned(-wasVy[i]!));
      const most = FRICTION * Math.max(0, wasVy[i]! - after);
      vx[i]! -= Math.min(most, Math.max(-most, vx[i]!));
      vy[i] = after;
    }
  }
}

/** The speed with which a wall gives a ball back, of a negative one towards it. */
const returned = (speed: number): number => (speed < -SOFT ? -BOUNCE * speed : 0);

/** A sleeper wakes when one that moves touches it, or leaves it. */
function wakeTouched({ vx, vy, calm }: Balls): void {
  for (let n = 0; n < pairs; n++) {
    const i = first[n]!;
    const j = second[n]!;
    if (give[i] === give[j]) continue;
    const mover = give[i] === 1 ? i : j;
    const sleeper = give[i] === 1 ? j : i;
    const square = vx[mover]! * vx[mover]! + vy[mover]! * vy[mover]!;
    if (square > WAKE_SPEED * WAKE_SPEED) calm[sleeper] = 0;
  }
}

/** Counts for how long each has hardly moved. */
function rest({ x, y, vx, vy, calm }: Balls, most: number): void {
  for (let i = 0; i < COUNT; i++) {
    if (calm[i]! >= SLEEP_TICKS) continue;
    const dx = x[i]! - startX[i]!;
    const dy = y[i]! - startY[i]!;
    calm[i] = dx * dx + dy * dy < most * most ? calm[i]! + 1 : 0;
    if (calm[i] === SLEEP_TICKS) vx[i] = vy[i] = 0;
  }
}

/** Balls that sleep. */
export function asleep({ calm }: { readonly calm: ArrayLike<number> }): number {
  let count = 0;
  for (let i = 0; i < COUNT; i++) if (calm[i]! >= SLEEP_TICKS) count++;
  return count;
}
