import type { Random } from "../src/math/index.js";
import { cosTurns, sinTurns } from "../src/math/index.js";
import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { f64, layout, table, u32, type World } from "../src/state/index.js";
import { diceAt } from "./scene.js";

/** Distances in pixels from the star, which lies at 0, 0. */
export const STAR_RADIUS = 30;
/** What is further away is lost. */
export const EDGE = 600;
const MOST_BODIES = 64;

/** The star's pull at a distance of one pixel: at 200 pixels, once around takes 8 s. */
const PULL = 5_000_000;
/** Ticks from one body by chance to the next, on average; after so many a body may vanish. */
const SPAWN_TICKS = 30;
const OLD = 900;

const System = layout({
  bodies: table(MOST_BODIES, {
    x: f64.hermite("vx"),
    y: f64.hermite("vy"),
    vx: f64,
    vy: f64,
    radius: f64,
    /** Ticks since it was there. */
    age: u32,
  }),
  spawned: u32,
  /** Fallen into the star, flown away, vanished with age or by a player. */
  burnt: u32,
  lost: u32,
  removed: u32,
});
type SystemWorld = World<(typeof System)["fields"]>;
type Bodies = SystemWorld["bodies"];

const INPUT = { launch: button, remove: button, angle: axis(8), speed: axis(6) };

/** Bodies around a star. They come and go by chance, and by a player, who launches and removes some. */
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
    if (bodies.count < MOST_BODIES && random.chance(1 / SPAWN_TICKS)) {
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
    if (player.pressed.launch && bodies.count < MOST_BODIES) {
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
      else if (bodies.age[i]! > OLD && random.chance(1 / 300)) world.removed += 1;
      else continue;
      bodies.remove(id);
    }
  },
});

/** A new body at an angle, in turns, and a distance; its speed as part of that of a circle. */
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

/** Velocity Verlet: orbits neither widen nor shrink. */
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

/** By what a place is multiplied to give the acceleration there. */
function pull(x: number, y: number): number {
  // In the star it grows no more: nothing is thrown out by a step that comes too near its middle.
  const square = Math.max(STAR_RADIUS * STAR_RADIUS, x * x + y * y);
  return -PULL / (square * Math.sqrt(square));
}

/** Launches now and then, in any direction, and seldom removes one. */
export function orbitScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const dice = diceAt(1, tick, 45);
  player.launch = tick % 45 < 3 && dice.chance(0.5);
  player.angle = 2 * dice.float() - 1;
  player.speed = 1.6 * dice.float() - 1;
  player.remove = tick % 45 === 20 && dice.chance(0.2);
}
