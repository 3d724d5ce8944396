// Things that move in circles, whose places at any time are known: what a viewer draws is compared with them.
import { atan2, cos, sin } from "../src/math/index.js";
import { simulation } from "../src/sim/index.js";
import { f64, layout, table, u32 } from "../src/state/index.js";

/** Radians per second, and the radius in meters. */
const SPEED = 1;
const RADIUS = 10;
/** Seconds of a round. */
const ROUND = (2 * Math.PI) / SPEED;

/** The place of the things at a time, in seconds. */
const at = (seconds: number): [number, number] => [
  RADIUS * cos(SPEED * seconds),
  RADIUS * sin(SPEED * seconds),
];

/** Walkers send their places, riders their velocities too. Both are always at the same place. A guest comes and goes. */
export const carousel = simulation({
  name: "carousel",
  version: 1,
  rate: 60,
  players: 1,
  state: layout({
    ticks: u32,
    clock: f64.lerp,
    walkers: table(2, { x: f64.lerp, y: f64.lerp, angle: f64.angle }),
    riders: table(1, { x: f64.hermite("vx"), y: f64.hermite("vy"), vx: f64, vy: f64 }),
  }),
  init({ walkers, riders }) {
    walkers.add({ x: RADIUS });
    riders.add({ x: RADIUS, vy: SPEED * RADIUS });
  },
  step(world, _inputs, { tick, dt }) {
    const { walkers, riders } = world;
    const seconds = (tick + 1) * dt;
    const [x, y] = at(seconds);
    world.ticks = tick + 1;
    world.clock = seconds;
    walkers.x[0] = riders.x[0] = x;
    walkers.y[0] = riders.y[0] = y;
    walkers.angle[0] = SPEED * seconds;
    riders.vx[0] = -SPEED * y;
    riders.vy[0] = SPEED * x;
    if (tick % 240 === 120) walkers.add({ x: 100 });
    if (tick % 240 === 239) walkers.remove(walkers.id[1]!);
  },
});

/** Returns the time that a drawn place shows, from 0 to that of a round, in seconds. */
const shownBy = (x: number, y: number): number => (atan2(y, x) / SPEED + ROUND) % ROUND;

/** Compares each drawn step with the true one, from the drawn place on, in evenly advancing time. */
export class CarouselJudder {
  readonly #frame: number;
  #last: readonly [number, number] | undefined;
  #errors = 0;
  #steps = 0;
  #frames = 0;
  #behind = 0;
  /** The largest error of a step, as a share of it. */
  worst = 0;

  /** `frame` is the time between two frames, in seconds. */
  constructor(frame: number) {
    this.#frame = frame;
  }

  /** Takes what was drawn at a time of the server, in seconds. */
  draw(x: number, y: number, now: number): void {
    const last = this.#last;
    this.#last = [x, y];
    this.#frames++;
    this.#behind += (((now - shownBy(x, y)) % ROUND) + ROUND) % ROUND;
    if (!last) return;
    const seconds = shownBy(last[0], last[1]);
    const [from, to] = [at(seconds), at(seconds + this.#frame)];
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const [ex, ey] = [x - last[0] - dx, y - last[1] - dy];
    const error = ex * ex + ey * ey;
    this.#errors += error;
    this.#steps += dx * dx + dy * dy;
    this.worst = Math.max(this.worst, Math.sqrt(error / (dx * dx + dy * dy)));
  }

  /** The root of the mean square of the errors, as a share of the steps. */
  get rms(): number {
    return Math.sqrt(this.#errors / this.#steps);
  }

  /** How far the picture lags behind the server, in seconds. */
  get behind(): number {
    return this.#behind / this.#frames;
  }
}
