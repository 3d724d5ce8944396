import { simulation } from "tickwise/sim";
import { f64, layout, list } from "tickwise/state";

/** The table in metres, and what slides on it without friction. */
export const WIDTH = 2.4;
export const HEIGHT = 1;
export const RADIUS = 0.12;
export const COUNT = 5;
const SPEED = 1.1;

/** Returns a number from 0 to 1. */
type Chance = () => number;

interface Columns {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly vx: Float64Array;
  readonly vy: Float64Array;
}

/** Pucks on a table with rough cushions: each bounce turns a puck a little, at random. `chance` replaces the random numbers of the state. */
export const pucks = (roughness: number, chance?: Chance) =>
  simulation({
    name: "pucks",
    version: 1,
    rate: 60,
    state: layout({ pucks: list(COUNT, { x: f64.lerp, y: f64.lerp, vx: f64, vy: f64 }) }),
    init({ pucks: { x, y, vx, vy } }) {
      for (let i = 0; i < COUNT; i++) {
        x[i] = (WIDTH * (i + 0.5)) / COUNT;
        y[i] = i % 2 === 0 ? 0.3 : 0.7;
        // Each in another direction, all with the same speed: (3, 4) / 5 and its like.
        const [a, b] = i % 2 === 0 ? [0.6, 0.8] : [-0.8, 0.6];
        vx[i] = SPEED * a;
        vy[i] = SPEED * (i % 3 === 0 ? -b : b);
      }
    },
    step({ pucks: columns }, _, { dt, random }) {
      const next = chance ?? (() => random.float());
      for (let i = 0; i < COUNT; i++) {
        columns.x[i]! += columns.vx[i]! * dt;
        columns.y[i]! += columns.vy[i]! * dt;
        bounce(columns, i, roughness, next);
      }
      for (let a = 0; a < COUNT; a++) for (let b = a + 1; b < COUNT; b++) collide(columns, a, b);
    },
  });

/** Reflects a puck at the cushions, and turns it a little. It keeps its speed. */
function bounce({ x, y, vx, vy }: Columns, i: number, roughness: number, chance: Chance): void {
  const [atX, atY] = [beyond(x[i]!, WIDTH), beyond(y[i]!, HEIGHT)];
  const isAtX = atX * vx[i]! > 0;
  const isAtY = atY * vy[i]! > 0;
  if (!isAtX && !isAtY) return;
  const speed = Math.sqrt(vx[i]! * vx[i]! + vy[i]! * vy[i]!);
  if (isAtX) vx[i] = -vx[i]!;
  if (isAtY) vy[i] = -vy[i]!;
  const turn = roughness * (chance() - 0.5);
  // Along the cushion.
  if (isAtX) vy[i]! += turn;
  else vx[i]! += turn;
  const scale = speed / Math.sqrt(vx[i]! * vx[i]! + vy[i]! * vy[i]!);
  vx[i]! *= scale;
  vy[i]! *= scale;
}

/** Which cushion a puck overlaps: -1, 1, or 0 for none. */
const beyond = (at: number, size: number): number => (at < RADIUS ? -1 : at > size - RADIUS ? 1 : 0);

/** Pucks of the same mass exchange their speeds along the line between them. */
function collide({ x, y, vx, vy }: Columns, a: number, b: number): void {
  const [dx, dy] = [x[b]! - x[a]!, y[b]! - y[a]!];
  const square = dx * dx + dy * dy;
  if (square === 0 || square > 4 * RADIUS * RADIUS) return;
  const along = ((vx[a]! - vx[b]!) * dx + (vy[a]! - vy[b]!) * dy) / square;
  if (along <= 0) return;
  vx[a]! -= along * dx;
  vy[a]! -= along * dy;
  vx[b]! += along * dx;
  vy[b]! += along * dy;
}
