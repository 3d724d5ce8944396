// Glenn Fiedler's cubes, simulated by Rapier: a player's cube rolls over a field of 900 small ones, pulls them along, and
// blows them away. Sizes, forces and thresholds are those of his demo "Networked Physics".
import type RAPIER from "@dimforge/rapier3d-deterministic-compat";
import { sin } from "../src/math/index.js";
import { rapier } from "../src/rapier/index.js";
import { button, simulation, type InputValues } from "../src/sim/index.js";
import { bool, f64, layout, list, quat, u8, vec3 } from "../src/state/index.js";

/** Cubes along a side of the field. */
const SIDE = 30;
/** The player's cube comes first. */
export const CUBES = SIDE * SIDE + 1;
const PLAYER = 0;
/** Edges, in metres. z points up, and the ground is at 0. */
const PLAYER_EDGE = 1.5;
const EDGE = 0.4;
const DENSITY = 1;
const GRAVITY = 20;
/** So high that cubes roll and hardly ever slide. */
const FRICTION = 200;
const DRAG = 0.001 * 60;
const MAX_SPEED = 32;
const MAX_SPIN = 16;
/** Below this speed, a cube is at rest. */
const REST_SPEED = 0.25;
/** Ticks at rest after which a cube no longer belongs to the player. */
const RELEASE_TICKS = 100;

const STRAFE = 120;
const FORCE = 200;
const PUSH_RADIUS = 2;
const MAX_PUSH = 500;
const PULL_RADIUS = 1.8;
const MAX_PULL = 2000;
/** How much harder the player's cube pushes itself off the ground while it pulls: a jump. */
const JUMP = 20;

const INPUT = { left: button, right: button, up: button, down: button, push: button, pull: button };

/** The state of the scene. The player sees positions, orientations and which cubes it moved. */
export const CubesLayout = layout({
  cubes: list(CUBES, {
    position: vec3.lerp.quantize(1 / 512),
    turn: quat.slerp.quantize(9),
    /** Whether the player's cube moved it, directly or by way of other cubes. */
    interacting: bool,
    handle: f64.secret,
    /** Ticks at rest. */
    rest: u8.secret,
  }),
});

/** Declares the scene. */
export function cubes(physics: typeof RAPIER) {
  const { ColliderDesc, RigidBodyDesc } = physics;

  return simulation({
    name: "cubes",
    version: 1,
    rate: 60,
    state: CubesLayout,
    input: INPUT,
    external: { physics: rapier(physics, () => new physics.World({ x: 0, y: 0, z: -GRAVITY })) },

    init({ cubes: { position, turn, handle } }, { external: { physics: field } }) {
      const ground = field.world.createRigidBody(RigidBodyDesc.fixed());
      const plane = ColliderDesc.cuboid(256, 256, 1).setTranslation(0, 0, -1).setFriction(FRICTION);
      field.world.createCollider(plane, ground);
      for (let cube = 0; cube < CUBES; cube++) {
        const at = cube - 1;
        const isPlayer = cube === PLAYER;
        const x = isPlayer ? 0 : (at % SIDE) + 0.5 - SIDE / 2;
        const y = isPlayer ? 0 : Math.floor(at / SIDE) + 0.5 - SIDE / 2;
        const z = isPlayer ? 10 : EDGE / 2;
        const half = (isPlayer ? PLAYER_EDGE : EDGE) / 2;
        const body = field.world.createRigidBody(
          RigidBodyDesc.dynamic()
            .setTranslation(x, y, z)
            .setLinearDamping(DRAG)
            .setAngularDamping(DRAG)
            .setSleeping(!isPlayer),
        );
        const box = ColliderDesc.cuboid(half, half, half).setDensity(DENSITY).setFriction(FRICTION);
        field.world.createCollider(box, body);
        handle[cube] = body.handle;
        position.set([x, y, z], 3 * cube);
        turn.set([0, 0, 0, 1], 4 * cube);
      }
    },

    step({ cubes: rows }, [player], { tick, dt, external: { physics: field } }) {
      const { world } = field;
      const { handle, interacting, position, rest, turn } = rows;
      world.timestep = dt;
      const bodies: RAPIER.RigidBody[] = [];
      for (let cube = 0; cube < CUBES; cube++) bodies.push(world.getRigidBody(handle[cube]!));
      const own = bodies[PLAYER]!;

      own.resetForces(false);
      own.resetTorques(false);
      let x = STRAFE * (Number(player.right) - Number(player.left));
      let y = STRAFE * (Number(player.up) - Number(player.down));
      const velocity = own.linvel();
      if (!player.push && velocity.x * x + velocity.y * y < 0) {
        x *= 2;
        y *= 2;
      }
      if (x !== 0 || y !== 0) own.addForce({ x, y, z: 0 }, true);
      if (player.push) hover(own, x, y, tick);
      if (player.push || player.pull) {
        const centre = own.translation();
        const reach = (player.push ? PUSH_RADIUS : PULL_RADIUS) + 1;
        for (let cube = 0; cube < CUBES; cube++) {
          if (cube !== PLAYER) {
            if (Math.abs(position[3 * cube]! - centre.x) > reach) continue;
            if (Math.abs(position[3 * cube + 1]! - centre.y) > reach) continue;
          }
          const body = bodies[cube]!;
          const isMoved = player.push
            ? push(body, centre, cube === PLAYER, player.pull, dt)
            : cube !== PLAYER && pull(body, centre, dt);
          if (isMoved) {
            interacting[cube] = 1;
            rest[cube] = 0;
          }
        }
      }

      world.step();

      for (let cube = 0; cube < CUBES; cube++) {
        const body = bodies[cube]!;
        if (rest[cube]! < RELEASE_TICKS) rest[cube]!++;
        else interacting[cube] = 0;
        if (body.isSleeping()) continue;
        const v = limit(body.linvel(), MAX_SPEED);
        if (v.isLimited) body.setLinvel(v.vector, false);
        const w = limit(body.angvel(), MAX_SPIN);
        if (w.isLimited) body.setAngvel(w.vector, false);
        if (v.length >= REST_SPEED || w.length >= REST_SPEED) rest[cube] = 0;
        const at = body.translation();
        const to = body.rotation();
        position[3 * cube] = at.x;
        position[3 * cube + 1] = at.y;
        position[3 * cube + 2] = at.z;
        turn[4 * cube] = to.x;
        turn[4 * cube + 1] = to.y;
        turn[4 * cube + 2] = to.z;
        turn[4 * cube + 3] = to.w;
      }
      interacting[PLAYER] = 1;
      spread(world, bodies, interacting);
    },
  });
}

interface Vector {
  x: number;
  y: number;
  z: number;
}

function limit(vector: Vector, max: number): { vector: Vector; length: number; isLimited: boolean } {
  const { x, y, z } = vector;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (length <= max) return { vector, length, isLimited: false };
  const scale = max / length;
  return { vector: { x: x * scale, y: y * scale, z: z * scale }, length: max, isLimited: true };
}

/** Applies a force for one step. */
function shove(body: RAPIER.RigidBody, force: Vector, factor: number, dt: number): void {
  const scale = factor * dt;
  body.applyImpulse({ x: force.x * scale, y: force.y * scale, z: force.z * scale }, true);
}

/** Pushes a body away from the ground below the player's cube. Returns false if it is too far away. */
function push(
  body: RAPIER.RigidBody,
  centre: Vector,
  isPlayer: boolean,
  jumps: boolean,
  dt: number,
): boolean {
  const at = body.translation();
  const x = at.x - centre.x;
  const y = at.y - centre.y;
  const z = at.z + 0.1 - (isPlayer ? 0.7 : 0);
  const square = x * x + y * y + z * z;
  if (square <= 1e-4 || square >= PUSH_RADIUS * PUSH_RADIUS) return false;
  const size = Math.min(FORCE / square, MAX_PUSH) / Math.sqrt(square);
  const factor = isPlayer ? (jumps ? JUMP : 1) : body.mass();
  shove(body, { x, y, z }, size * factor, dt);
  return true;
}

/** Pulls a body towards the player's cube. Returns false if it is too far away. */
function pull(body: RAPIER.RigidBody, centre: Vector, dt: number): boolean {
  const at = body.translation();
  const x = at.x - centre.x;
  const y = at.y - centre.y;
  const z = at.z - centre.z;
  const square = x * x + y * y + z * z;
  if (square <= 0.04 || square >= PULL_RADIUS * PULL_RADIUS) return false;
  const size = Math.min(FORCE / square, MAX_PULL) / Math.sqrt(square);
  shove(body, { x, y, z }, -size * body.mass(), dt);
  return true;
}

/** Lets the hovering cube of the player wobble, and keeps it upright. */
function hover(body: RAPIER.RigidBody, x: number, y: number, tick: number): void {
  const wave = (a: number, b: number, c: number) =>
    sin(tick * 0.1 + a) + sin(tick * 0.05 + b) + sin(tick + c);
  body.addForce({ x: 2 * wave(1, 3, 10), y: 2 * wave(2, 4, 11), z: 2 * wave(3, 5, 12) }, true);
  body.addTorque({ x: 1.5 * wave(10, 22, 0), y: 1.5 * wave(5, 16, 1), z: 1.5 * wave(4, 9, 2) }, true);
  // Leans into the direction of its force.
  const force = Math.sqrt(x * x + y * y);
  const tilt = force > 0 ? 0.25 : 0;
  const up = { x: force > 0 ? (tilt * x) / force : 0, y: force > 0 ? (tilt * y) / force : 0 };
  const q = body.rotation();
  // The cube's own up, and the axis that turns it towards the wanted one.
  const ux = 2 * (q.x * q.z + q.w * q.y);
  const uy = 2 * (q.y * q.z - q.w * q.x);
  const uz = 1 - 2 * (q.x * q.x + q.y * q.y);
  const axis = { x: uy - up.y * uz, y: up.x * uz - ux, z: ux * up.y - uy * up.x };
  body.addTorque({ x: 50 * axis.x, y: 50 * axis.y, z: 50 * axis.z }, true);
  const spin = body.angvel();
  body.setAngvel({ x: spin.x * 0.95, y: spin.y * 0.95, z: spin.z * 0.95 }, true);
  const speed = body.linvel();
  body.setLinvel({ x: speed.x * 0.96, y: speed.y * 0.96, z: speed.z * 0.999 }, true);
}

/** Marks all awake cubes that touch a marked one, and so on. */
function spread(world: RAPIER.World, bodies: readonly RAPIER.RigidBody[], interacting: Uint8Array): void {
  const cubeOf = new Map<number, number>();
  const queue: number[] = [];
  for (let cube = 0; cube < CUBES; cube++) {
    const body = bodies[cube]!;
    if (body.isSleeping()) continue;
    cubeOf.set(body.handle, cube);
    if (interacting[cube]) queue.push(cube);
  }
  for (const cube of queue) {
    const collider = bodies[cube]!.collider(0);
    world.contactPairsWith(collider, (other) => {
      const touched = cubeOf.get(other.parent()?.handle ?? -1);
      if (touched === undefined || interacting[touched]) return;
      let isTouching = false;
      world.contactPair(collider, other, (manifold) => {
        if (manifold.numContacts() > 0) isTouching = true;
      });
      if (!isTouching) return;
      interacting[touched] = 1;
      queue.push(touched);
    });
  }
}

/** Ticks of the script in which the player is busy. */
const BUSY_TICKS = 1800;

/** The keys left, right, up and down as the bits of a digit, for ten ticks each. */
const KEYS =
  "26215285588458a689169910a992a8248a645866956215825592655944995699aa498a69aa45aa645aa65a264025" +
  "1a65195584098a50aa54a8912a91a26a956a26458655a95569148156915a4996a992619062962a5522651262";

/** Rolls over the field with cubes in tow, jumps, blows them away, and rests from `BUSY_TICKS` on. */
export function cubesScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const isBusy = tick < BUSY_TICKS;
  const keys = isBusy ? Number.parseInt(KEYS[Math.floor(tick / 10)]!, 16) : 0;
  player.left = (keys & 1) > 0;
  player.right = (keys & 2) > 0;
  player.up = (keys & 4) > 0;
  player.down = (keys & 8) > 0;
  const since = tick % 300;
  player.pull = isBusy && since < 190;
  player.push = isBusy && (since >= 200 || tick % 900 === 690);
}
