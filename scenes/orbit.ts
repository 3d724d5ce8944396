import type { Random } from "../src/math/index.js";
import { cosTurns, sinTurns } from "../src/math/index.js";
import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { f64, layout, table, u32, type World } from "../src/state/index.js";
import { diceAt } from "./scene.js";

/** In pixels. The star is at 0, 0. */
export const STAR_RADIUS = 30;
/** Bodies that are further away are lost. */
export const EDGE = 600;
const MAX_BODIES = 64;

/** Acceleration at a distance of one pixel. At 200 pixels, an orbit takes 8 s. */
const PULL = 5_000_000;
/** Average ticks between two random spawns, and the age in ticks after which a body may vanish. */
const SPAWN_TICKS = 30;
const MAX_AGE = 900;

const System = layout({
  bodies: table(MAX_BODIES, {
    x: f64.hermite("vx"),
    y: f64.hermite("vy"),
    vx: f64,
    vy: f64,
    radius: f64,
    /** Ticks since it was added. */
    age: u32,
  }),
  spawned: u32,
  /** Counts of bodies that fell into the star, left the system, and were removed by age or by a player. */
  burnt: u32,
  lost: u32,
  removed: u32,
});
type SystemWorld = World<(typeof System)["fields"]>;
type Bodies = SystemWorld["bodies"];

const INPUT = { launch: button, remove: button, angle: axis(8), speed: axis(6) };

/** Bodies around a star. They appear and vanish at random, and a player launches and removes some. */
export const orbit = simulation({
  name: "orbit",
  version: 1,
  rate: 60,
  state: System,
  input: INPUT,
  effects: { spawn: { x: f64, y: f64 }, burn: { x: f64, y: f64 } },
  init({ bodies }, { random }) {
    for (let i = 0; i < 12; i++) launch(bodies, random.float(), 120 + 300 * random.float(), 1, random);
  },
  step(world, [player], { dt, random, emit }) {
    const { bodies } = world;
    if (bodies.count < MAX_BODIES && random.chance(1 / SPAWN_TICKS)) {
      const row = launch(
        bodies,
        random.float(),
        80 + 400 * random.float(),
        0.7 + 0.5 * random.float(),
        random,
      );
      world.spawned += 1;
      emit("spawn", { x: bodies.x[row]!, y: bodies.y[row]! });
    }
    if (player.pressed.launch && bodies.count < MAX_BODIES) {
      launch(bodies, player.angle / 2, 250, 1 + 0.75 * player.speed, random);
      world.spawned += 1;
    }
    if (player.pressed.remove && bodies.count > 0) {
      bodies.remove(bodies.id[oldest(bodies)]!);
      world.removed += 1;
    }
    move(bodies, dt);
    for (let i = 0; i < bodies.end; i++) {
      const id = bodies.id[i]!;
      if (id <= 0) continue;
      const x = bodies.x[i]!;
      const y = bodies.y[i]!;
      const square = x * x + y * y;
      bodies.age[i]! += 1;
      if (square < STAR_RADIUS * STAR_RADIUS) {
        emit("burn", { x, y });
        world.burnt += 1;
      } else if (square > EDGE * EDGE) world.lost += 1;
      else if (bodies.age[i]! > MAX_AGE && random.chance(1 / 300)) world.removed += 1;
      else continue;
      bodies.remove(id);
    }
  },
});

/** Adds a body at an angle, in turns, and a distance. `part` is its speed relative to that of a circular orbit. */
function launch(bodies: Bodies, angle: number, distance: number, part: number, random: Random): number {
  const c = cosTurns(angle);
  const s = sinTurns(angle);
  const speed = part * Math.sqrt(PULL / distance);
  const id = bodies.add({
    x: c * distance,
    y: s * distance,
    vx: -s * speed,
    vy: c * speed,
    radius: 3 + 5 * random.float(),
  });
  return bodies.row(id);
}

function oldest({ end, id, age }: Bodies): number {
  let found = -1;
  for (let i = 0; i < end; i++) if (id[i]! > 0 && (found < 0 || age[i]! > age[found]!)) found = i;
  return found;
}

/** Velocity Verlet, which keeps the size of orbits. */
function move({ end, id, x, y, vx, vy }: Bodies, dt: number): void {
  for (let i = 0; i < end; i++) {
    if (id[i]! <= 0) continue;
    const before = pull(x[i]!, y[i]!);
    const halfX = vx[i]! + (before * x[i]! * dt) / 2;
    const halfY = vy[i]! + (before * y[i]! * dt) / 2;
    x[i]! += halfX * dt;
    y[i]! += halfY * dt;
    const after = pull(x[i]!, y[i]!);
    vx[i] = halfX + (after * x[i]! * dt) / 2;
    vy[i] = halfY + (after * y[i]! * dt) / 2;
  }
}

/** Returns the factor that turns a position into the acceleration there. */
function pull(x: number, y: number): number {
  // Clamped inside the star, so that a step close to its center does not fling a body away.
  const square = Math.max(STAR_RADIUS * STAR_RADIUS, x * x + y * y);
  return -PULL / (square * Math.sqrt(square));
}

/** Launches bodies in random directions, and rarely removes one. */
export function orbitScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const dice = diceAt(1, tick, 45);
  player.launch = tick % 45 < 3 && dice.chance(0.5);
  player.angle = 2 * dice.float() - 1;
  player.speed = 1.6 * dice.float() - 1;
  player.remove = tick % 45 === 20 && dice.chance(0.2);
}
