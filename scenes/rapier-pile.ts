// A pile of bodies in a pit, simulated by Rapier. It falls asleep, and a player wakes it by pushing and throwing.
import type RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { rapier } from "../src/rapier/index.js";
import { axis, button, simulation, type InputValues } from "../src/sim/index.js";
import { f64, layout, table, u32, u8 } from "../src/state/index.js";

const WIDTH = 20;
const PILE = 240;
/** Links of a chain that hangs above the pile. */
const LINKS = 10;
/** Maximum number of thrown balls. The oldest is removed for a new one. */
const THROWN = 12;

const BALL = 0;
const BOX = 1;
const PLANK = 2;
const LINK = 3;
const SHOT = 4;

const INPUT = { push: axis(8), jump: button, shoot: button };

/** Declares the scene with `count` falling bodies. Tests pass another `external`, to check that errors in it are detected. */
export function rapierPile(physics: typeof RAPIER, count = PILE, external = pileExternal(physics)) {
  const { ColliderDesc, JointData, RigidBodyDesc } = physics;
  // Without damping, balls would roll forever and keep other bodies awake.
  const damped = () => RigidBodyDesc.dynamic().setLinearDamping(0.2).setAngularDamping(1);
  const colliders = [
    ColliderDesc.ball(0.4),
    ColliderDesc.cuboid(0.4, 0.3),
    ColliderDesc.cuboid(0.9, 0.15),
    ColliderDesc.ball(0.2),
    ColliderDesc.ball(0.25).setDensity(8),
  ];

  return simulation({
    name: "rapier pile",
    version: 1,
    rate: 60,
    state: layout({
      /** The handle of the body that the player pushes. */
      player: f64,
      bodies: table(1 + count + LINKS + THROWN, {
        handle: f64,
        shape: u8,
        /** The tick in which it was added. */
        born: u32,
        x: f64.lerp,
        y: f64.lerp,
        turn: f64.angle,
      }),
    }),
    input: INPUT,
    external: { physics: external },

    init(world, { random, external: { physics: pit } }) {
      const ground = pit.world.createRigidBody(RigidBodyDesc.fixed());
      pit.world.createCollider(ColliderDesc.cuboid(WIDTH, 0.5).setTranslation(0, -0.5), ground);
      for (const side of [-WIDTH / 2, WIDTH / 2])
        pit.world.createCollider(ColliderDesc.cuboid(0.5, 30).setTranslation(side, 29), ground);
      const add = (shape: number, x: number, y: number) => {
        const body = pit.world.createRigidBody(damped().setTranslation(x, y));
        pit.world.createCollider(colliders[shape]!, body);
        world.bodies.add({ handle: body.handle, shape, x, y });
        return body;
      };
      world.player = add(BALL, 0, 1).handle;
      for (let i = 0; i < count; i++)
        add(random.pick([BALL, BOX, PLANK]), (random.float() - 0.5) * (WIDTH - 3), 2 + i * 0.25);
      let before = ground;
      for (let i = 0; i < LINKS; i++) {
        const link = add(LINK, 0.5 * i, 16);
        const anchor = i === 0 ? { x: 0, y: 16 } : { x: 0.25, y: 0 };
        const joint = JointData.revolute(anchor, { x: i === 0 ? 0 : -0.25, y: 0 });
        pit.world.createImpulseJoint(joint, before, link, true);
        before = link;
      }
    },

    step({ player, bodies }, [{ push, pressed }], { tick, dt, external: { physics: pit } }) {
      const { world } = pit;
      world.timestep = dt;
      const body = world.getRigidBody(player);
      if (push !== 0) body.applyImpulse({ x: push * 0.4, y: 0 }, true);
      if (pressed.jump) body.applyImpulse({ x: 0, y: 4 }, true);
      if (pressed.shoot) {
        const balls = rowsOf(bodies, SHOT);
        if (balls.length === THROWN) {
          const oldest = balls.reduce((a, b) => (bodies.born[b]! < bodies.born[a]! ? b : a));
          world.removeRigidBody(world.getRigidBody(bodies.handle[oldest]!));
          bodies.remove(bodies.id[oldest]!);
        }
        const { x } = body.translation();
        // Fast enough to pass through a plank in one step without CCD.
        const shot = damped().setTranslation(x, 25).setLinvel(0, -90).setCcdEnabled(true);
        const { handle } = world.createRigidBody(shot);
        world.createCollider(colliders[SHOT]!, world.getRigidBody(handle));
        bodies.add({ handle, shape: SHOT, born: tick, x, y: 25 });
      }
      world.step();
      for (let row = 0; row < bodies.end; row++) {
        if (bodies.id[row]! <= 0) continue;
        const moved = world.getRigidBody(bodies.handle[row]!);
        const { x, y } = moved.translation();
        bodies.x[row] = x;
        bodies.y[row] = y;
        bodies.turn[row] = moved.rotation();
      }
    },
  });
}

export const pileExternal = (physics: typeof RAPIER) =>
  rapier(physics, () => new physics.World({ x: 0, y: -9.81 }));

function rowsOf(
  { id, end, shape }: { id: ArrayLike<number>; end: number; shape: Uint8Array },
  wanted: number,
): number[] {
  const rows = [];
  for (let row = 0; row < end; row++) if (id[row]! > 0 && shape[row] === wanted) rows.push(row);
  return rows;
}

/** Pushes, jumps and shoots for some seconds, then does nothing until all bodies sleep. */
export function pileScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  const since = tick % 1500;
  const isBusy = tick >= 300 && since >= 300 && since < 700;
  player.push = isBusy ? (since % 100 < 50 ? 1 : -1) : 0;
  player.jump = isBusy && since % 40 === 0;
  player.shoot = isBusy && since % 25 === 0;
}

/** Counts sleeping bodies. */
export function asleepIn(world: RAPIER.World): number {
  let count = 0;
  world.forEachRigidBody((body) => {
    if (body.isSleeping()) count++;
  });
  return count;
}
