import { axis, localSession, simulation } from "tickwise/sim";
import { f64, layout, list } from "tickwise/state";

export const SEATS = 2;
/** The field reaches from -1 to 1 sideways, and from -HEIGHT to HEIGHT. */
export const HEIGHT = 1.25;
export const RADIUS = 0.24;
/** Acceleration by the player, and the share of the speed that a step keeps. */
const THRUST = 9;
const DRAG = 0.965;

/** What draws the discs to the middle of the field, per second and unit of distance. */
const PULL = 6;

const DIRECTIONS = [
  [1, 0],
  [-1, 1],
  [0, -1],
  [1, 1],
  [-1, -1],
  [0, 1],
  [-1, 0],
  [1, -1],
] as const;
/** Ticks for which each player keeps a direction. */
const STRETCH = [23, 29];

/** Two discs that push each other around. */
export const discs = simulation({
  name: "discs",
  version: 1,
  rate: 60,
  players: SEATS,
  state: layout({ bodies: list(SEATS, { x: f64.lerp, y: f64.lerp, vx: f64, vy: f64 }) }),
  input: { x: axis(2), y: axis(2) },
  init({ bodies }) {
    bodies.x[0] = -0.4;
    bodies.x[1] = 0.4;
  },
  step({ bodies: { x, y, vx, vy } }, inputs, { dt }) {
    for (let seat = 0; seat < SEATS; seat++) {
      vx[seat] = (vx[seat]! + (THRUST * inputs[seat]!.x - PULL * x[seat]!) * dt) * DRAG;
      vy[seat] = (vy[seat]! + (THRUST * inputs[seat]!.y - PULL * y[seat]!) * dt) * DRAG;
      x[seat]! += vx[seat]! * dt;
      y[seat]! += vy[seat]! * dt;
      bounce(x, vx, seat, 1 - RADIUS);
      bounce(y, vy, seat, HEIGHT - RADIUS);
    }
    const [dx, dy] = [x[1]! - x[0]!, y[1]! - y[0]!];
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (distance >= 2 * RADIUS || distance === 0) return;
    const [nx, ny] = [dx / distance, dy / distance];
    const overlap = RADIUS - distance / 2;
    const speed = (vx[0]! - vx[1]!) * nx + (vy[0]! - vy[1]!) * ny;
    for (let seat = 0; seat < SEATS; seat++) {
      const side = seat === 0 ? -1 : 1;
      x[seat]! += side * nx * overlap;
      y[seat]! += side * ny * overlap;
      if (speed <= 0) continue;
      vx[seat]! += side * nx * speed;
      vy[seat]! += side * ny * speed;
    }
  },
});

/** Bounces off the edges of the field. */
function bounce(at: Float64Array, speed: Float64Array, seat: number, edge: number): void {
  if (Math.abs(at[seat]!) <= edge) return;
  at[seat] = Math.sign(at[seat]!) * edge;
  speed[seat]! *= -0.8;
}

/** Plays a seat: a new direction now and then, which nobody can guess. */
export function playDisc(player: { x: number; y: number }, seat: number, tick: number): void {
  const turn = Math.floor(tick / STRETCH[seat]!);
  const [x, y] = DIRECTIONS[(turn + 3 * seat) % DIRECTIONS.length]!;
  player.x = x;
  player.y = y;
}

/** The same game with both players at one machine. */
export const withoutNetwork = () =>
  localSession(discs, {
    inputs: (players, { tick }) => players.forEach((player, seat) => playDisc(player, seat, tick)),
  });
