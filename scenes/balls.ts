import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { f64, layout, list, u8, type World } from "../src/state/index.js";
import { BALL, BUMPER_RADIUS, COUNT, HEIGHT, stepBalls, WIDTH, type Balls } from "./ball-contacts.js";
import { diceAt } from "./scene.js";

const BUMPER_SPEED = 500;
const BUMPER_MIN_Y = 3 * BUMPER_RADIUS;
const KICK_REACH = 120;
const KICK_SPEED = 600;
/** Minimum ticks between two kicks. */
const KICK_TICKS = 20;

const Box = layout({
  balls: list(COUNT, BALL),
  bumper: { x: f64.lerp, y: f64.lerp, vx: f64, vy: f64, /** Ticks until it can kick again. */ rest: u8 },
});
type BoxWorld = World<(typeof Box)["fields"]>;

const INPUT = { x: axis(8), y: axis(8), kick: button };

/** A thousand balls in a box, and a bumper that a player moves and kicks with. Balls at rest fall asleep. */
export const balls = simulation({
  name: "balls",
  version: 1,
  rate: 60,
  state: Box,
  input: INPUT,
  effects: { kick: { x: f64, y: f64 } },
  init({ balls: { x, y, radius }, bumper }, { random }) {
    for (let i = 0; i < COUNT; i++) {
      radius[i] = 6 + 4 * random.float();
      x[i] = 20 + 31 * (i % 40) + 8 * random.float();
      y[i] = HEIGHT - 20 - 26 * Math.floor(i / 40) - 4 * random.float();
    }
    bumper.x = WIDTH / 2;
    bumper.y = BUMPER_MIN_Y;
  },
  step({ balls: all, bumper }, [player], { dt, emit }) {
    moveBumper(bumper, player.x * BUMPER_SPEED, player.y * BUMPER_SPEED, dt);
    if (bumper.rest > 0) bumper.rest -= 1;
    else if (player.kick) {
      kick(all, bumper.x, bumper.y);
      bumper.rest = KICK_TICKS;
      emit("kick", { x: bumper.x, y: bumper.y });
    }
    stepBalls(all, bumper, dt);
  },
});

function moveBumper(bumper: BoxWorld["bumper"], vx: number, vy: number, dt: number): void {
  const x = Math.min(WIDTH - BUMPER_RADIUS, Math.max(BUMPER_RADIUS, bumper.x + vx * dt));
  // Low enough that balls are not squeezed between it and the ceiling.
  const y = Math.min(HEIGHT - BUMPER_RADIUS, Math.max(BUMPER_MIN_Y, bumper.y + vy * dt));
  bumper.vx = (x - bumper.x) / dt;
  bumper.vy = (y - bumper.y) / dt;
  bumper.x = x;
  bumper.y = y;
}

/** Throws nearby balls away from a point, and up. */
function kick({ x, y, vx, vy, calm }: Balls, fromX: number, fromY: number): void {
  for (let i = 0; i < COUNT; i++) {
    const dx = x[i]! - fromX;
    const dy = y[i]! - fromY;
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (distance >= KICK_REACH || distance === 0) continue;
    const speed = KICK_SPEED * (1 - distance / KICK_REACH / 2);
    vx[i]! += (dx / distance) * speed;
    vy[i]! += (dy / distance) * speed - KICK_SPEED / 4;
    calm[i] = 0;
  }
}

/** The bumper moves and kicks for twelve seconds, then stays away for eight, so that balls fall asleep. */
export function ballsScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const isAway = tick % 1200 >= 720;
  const dice = diceAt(1, tick, 40);
  const x = 2 * dice.float() - 1;
  const y = 2 * dice.float() - 0.8;
  player.x = isAway ? 0 : x;
  player.y = isAway ? -1 : y;
  player.kick = !isAway && diceAt(2, tick, 30).chance(0.4);
}
