import { axis, simulation } from "../../src/sim/index.js";
import { f64, layout, list } from "../../src/state/index.js";

/** Steps per second: few, as one process plays for all players of a test. */
export const RATE = 30;
const SEATS = 4;
const EDGE = 100;

/** The game of these tests: four players push each other around. */
export const GAME = simulation({
  name: "shove",
  version: 1,
  rate: RATE,
  players: SEATS,
  state: layout({
    x: list(SEATS, f64.lerp),
    y: list(SEATS, f64.lerp),
    vx: list(SEATS, f64),
    vy: list(SEATS, f64),
  }),
  input: { x: axis(2), y: axis(2) },
  init({ x, y }, { random }) {
    for (let seat = 0; seat < SEATS; seat++) {
      x[seat] = random.int(-EDGE, EDGE);
      y[seat] = random.int(-EDGE, EDGE);
    }
  },
  step({ x, y, vx, vy }, inputs, { dt, random }) {
    inputs.forEach((player, seat) => {
      vx[seat] = 0.95 * vx[seat]! + (300 * player.x + random.float()) * dt;
      vy[seat] = 0.95 * vy[seat]! + (300 * player.y + random.float()) * dt;
      x[seat] = Math.min(EDGE, Math.max(-EDGE, x[seat]! + vx[seat] * dt));
      y[seat] = Math.min(EDGE, Math.max(-EDGE, y[seat]! + vy[seat] * dt));
      const other = (seat + 1) % SEATS;
      const dx = x[other]! - x[seat];
      const dy = y[other]! - y[seat];
      if (dx * dx + dy * dy > 400) return;
      vx[other]! += 5 * dx;
      vy[other]! += 5 * dy;
    });
  },
});

/** Plays a seat: the direction changes now and then. */
export function playSeat(player: { x: number; y: number }, tick: number, seat: number): void {
  player.x = (Math.floor(tick / (17 + seat)) % 3) - 1;
  player.y = (Math.floor(tick / (23 + 2 * seat)) % 3) - 1;
}
