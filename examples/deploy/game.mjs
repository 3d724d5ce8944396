// The game: four players push a ball. Server and players run the same file.
import { axis, simulation } from "tickwise/sim";
import { f64, layout, list } from "tickwise/state";

const PLAYERS = 4;
/** The ball is the last of the bodies. */
const BALL = PLAYERS;
const EDGE = 100;

export const game = simulation({
  name: "push",
  version: 1,
  rate: 60,
  players: PLAYERS,
  state: layout({
    x: list(PLAYERS + 1, f64.lerp),
    y: list(PLAYERS + 1, f64.lerp),
    vx: list(PLAYERS + 1, f64),
    vy: list(PLAYERS + 1, f64),
  }),
  input: { x: axis(2), y: axis(2) },
  init({ x, y }, { random }) {
    for (let i = 0; i <= BALL; i++) {
      x[i] = random.int(-80, 80);
      y[i] = random.int(-80, 80);
    }
  },
  step({ x, y, vx, vy }, inputs, { dt }) {
    inputs.forEach((player, seat) => {
      vx[seat] += 400 * player.x * dt;
      vy[seat] += 400 * player.y * dt;
    });
    for (let i = 0; i <= BALL; i++) {
      vx[i] *= 0.96;
      vy[i] *= 0.96;
      x[i] = Math.min(EDGE, Math.max(-EDGE, x[i] + vx[i] * dt));
      y[i] = Math.min(EDGE, Math.max(-EDGE, y[i] + vy[i] * dt));
      const [dx, dy] = [x[BALL] - x[i], y[BALL] - y[i]];
      if (i === BALL || dx * dx + dy * dy > 100) continue;
      vx[BALL] += 10 * dx;
      vy[BALL] += 10 * dy;
    }
  },
});
