// The whole game: state, inputs and rules. It knows no page and no clock, so it also runs in tests and on a server.
import { atan2, cos, hypot, sin } from "tickwise/math";
import { axis, button, simulation } from "tickwise/sim";
import { f64, layout, table, u16, u8, type ReadonlyWorld } from "tickwise/state";

/** Lengths are in metres. The middle of the field is at 0, 0; y points down. */
export const FIELD = { width: 16, height: 9 };
export const SHIP_RADIUS = 0.4;
export const STAR_RADIUS = 0.35;

const THRUST = 16; // m/s²
const DRAG = 2; // per second
const DASH_SPEED = 9; // m/s
const DASH_PAUSE = 45; // ticks
const BOUNCE = 0.6; // of the speed

const state = layout({
  ships: table(2, {
    x: f64.lerp, // lerp and angle: how to blend two states in a frame between them
    y: f64.lerp,
    vx: f64,
    vy: f64,
    heading: f64.angle,
    pause: u8, // ticks until it may dash again
    stars: u16,
  }),
  star: { x: f64, y: f64 },
});

export const game = simulation({
  name: "stars",
  version: 1, // increase it when the rules change
  rate: 60, // steps per second
  players: 2,
  state,
  input: { x: axis(8), y: axis(8), dash: button },
  effects: { caught: { seat: u8, x: f64, y: f64 } },

  init({ ships }) {
    ships.add({ x: -4 });
    ships.add({ x: 4, heading: Math.PI });
  },

  step({ ships, star }, inputs, { dt, random, emit }) {
    for (const ship of ships) {
      const { x, y, pressed } = inputs[ship.row]!;
      const tilt = Math.max(1, hypot(x, y)); // two keys push no harder than one
      ship.vx += ((THRUST * x) / tilt - DRAG * ship.vx) * dt;
      ship.vy += ((THRUST * y) / tilt - DRAG * ship.vy) * dt;
      if (x !== 0 || y !== 0) ship.heading = atan2(y, x);

      if (ship.pause > 0) ship.pause--;
      else if (pressed.dash) {
        ship.vx += DASH_SPEED * cos(ship.heading);
        ship.vy += DASH_SPEED * sin(ship.heading);
        ship.pause = DASH_PAUSE;
      }

      ship.x += ship.vx * dt;
      ship.y += ship.vy * dt;
      stayInside(ship);
      for (const other of ships) if (other.row < ship.row) bump(ship, other);

      if (hypot(star.x - ship.x, star.y - ship.y) > SHIP_RADIUS + STAR_RADIUS) continue;
      emit("caught", { seat: ship.row, x: star.x, y: star.y });
      ship.stars++;
      star.x = (random.float() - 0.5) * (FIELD.width - 2);
      star.y = (random.float() - 0.5) * (FIELD.height - 2);
    }
  },

  // In a network game, plays for a seat whose player is missing.
  absent(player, { world, seat }) {
    const { x, y } = chase(world, seat);
    player.x = x;
    player.y = y;
  },
});

/** A bot: steers towards the star. */
export function chase({ ships, star }: ReadonlyWorld<typeof state.fields>, seat: number) {
  const [dx, dy] = [star.x - ships.x[seat]!, star.y - ships.y[seat]!];
  const distance = Math.max(0.01, hypot(dx, dy));
  return { x: (0.4 * dx) / distance, y: (0.4 * dy) / distance };
}

interface Body {
  x: number;
  y: number;
  vx: number;
  vy: number;
}

function stayInside(ship: Body): void {
  const [right, bottom] = [FIELD.width / 2 - SHIP_RADIUS, FIELD.height / 2 - SHIP_RADIUS];
  if (Math.abs(ship.x) > right) ship.vx *= -BOUNCE;
  if (Math.abs(ship.y) > bottom) ship.vy *= -BOUNCE;
  ship.x = Math.max(-right, Math.min(ship.x, right));
  ship.y = Math.max(-bottom, Math.min(ship.y, bottom));
}

function bump(a: Body, b: Body): void {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const distance = hypot(dx, dy);
  if (distance === 0 || distance > 2 * SHIP_RADIUS) return;
  const [nx, ny] = [dx / distance, dy / distance];
  const closing = (a.vx - b.vx) * nx + (a.vy - b.vy) * ny;
  if (closing <= 0) return;
  // Bodies of equal mass exchange their speeds along the line between them.
  a.vx -= closing * nx;
  a.vy -= closing * ny;
  b.vx += closing * nx;
  b.vy += closing * ny;
}
