import type { Random } from "../src/math/index.js";
import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { f64, layout, list, quat, skipBlend, u8, vec3, type World } from "../src/state/index.js";
import { diceAt } from "./scene.js";
import { stepTumble, tumble } from "./tumble.js";

export const BOXES = 16;

/** In metres per second squared. y points up, and the ground is at 0. */
const GRAVITY = 9.81;
/** Minimum duration of a flight, and maximum extra duration, in seconds. */
const FLIGHT = 1.5;
const MORE_FLIGHT = 1.5;

const Air = layout({
  boxes: list(BOXES, { position: vec3.lerp, velocity: vec3, turn: quat.slerp, spin: vec3 }),
  /** The box that a player throws next. */
  next: u8,
});
type AirWorld = World<(typeof Air)["fields"]>;

const INPUT = { throw: button, spin: axis(8) };

/** Boxes that tumble in the air about their intermediate axes. A box that hits the ground is thrown again. */
export const thrownBoxes = simulation({
  name: "tumble",
  version: 1,
  rate: 60,
  state: Air,
  input: INPUT,
  effects: { throw: { x: f64, z: f64 } },
  init(world, { random }) {
    for (let box = 0; box < BOXES; box++) throwBox(world, box, random, 0);
  },
  step(world, [player], { dt, random, emit }) {
    const { boxes } = world;
    const thrown = player.pressed.throw ? world.next : -1;
    if (thrown >= 0) world.next = (thrown + 1) % BOXES;
    for (let box = 0; box < BOXES; box++) {
      const height = 3 * box + 1;
      if (box === thrown || boxes.position[height]! < 0) {
        throwBox(world, box, random, player.spin);
        emit("throw", { x: boxes.position[3 * box]!, z: boxes.position[3 * box + 2]! });
      }
      boxes.velocity[height]! -= GRAVITY * dt;
      for (let i = 3 * box; i < 3 * box + 3; i++) boxes.position[i]! += boxes.velocity[i]! * dt;
      turn(world, box, dt);
    }
  },
});

/** Throws a box from the ground, with a random rotation. */
function throwBox({ boxes }: AirWorld, box: number, random: Random, spin: number): void {
  const { position, velocity } = boxes;
  const at = 3 * box;
  position[at] = 10 * (2 * random.float() - 1);
  position[at + 1] = 0;
  position[at + 2] = 10 * (2 * random.float() - 1);
  velocity[at] = random.gaussian();
  velocity[at + 1] = (GRAVITY / 2) * (FLIGHT + MORE_FLIGHT * random.float());
  velocity[at + 2] = random.gaussian();
  boxes.spin.set(tumble(1 + random.float() + spin).spin, at);
  const q = [random.gaussian(), random.gaussian(), random.gaussian(), random.gaussian()] as const;
  const length = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (let i = 0; i < 4; i++) boxes.turn[4 * box + i] = q[i]! / length;
  skipBlend(boxes, box);
}

/** A scratch object for one box. It is filled before it is read. */
const scratch = tumble(1);

function turn({ boxes }: AirWorld, box: number, dt: number): void {
  for (let i = 0; i < 4; i++) scratch.turn[i] = boxes.turn[4 * box + i]!;
  for (let i = 0; i < 3; i++) scratch.spin[i] = boxes.spin[3 * box + i]!;
  stepTumble(scratch, dt);
  boxes.turn.set(scratch.turn, 4 * box);
  boxes.spin.set(scratch.spin, 3 * box);
}

/** Throws the next box now and then, with random spin. */
export function thrownBoxesScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const dice = diceAt(1, tick, 40);
  player.throw = tick % 40 < 5 && dice.chance(0.5);
  player.spin = 2 * dice.float() - 1;
}
