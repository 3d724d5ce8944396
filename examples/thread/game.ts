// The simulation: a ball ploughs through a pile of boxes. It uses no page and no clock, so it runs in any thread.
import RAPIER from "@dimforge/rapier3d-deterministic-compat";
import { cos, sin } from "tickwise/math";
import { rapier } from "tickwise/rapier";
import { int, simulation } from "tickwise/sim";
import { f64, layout, quat, table, vec3, type ReadonlyWorld, type World } from "tickwise/state";

await RAPIER.init();

export const BOXES = 600;
export const BOX = 0.8;
export const BALL = 1.8;
/** Half of the side of the floor. Invisible walls surround it. */
export const FLOOR = 7.5;

const state = layout({
  ball: { body: f64, position: vec3.lerp },
  boxes: table(BOXES, { body: f64, position: vec3.lerp, rotation: quat.slerp }),
});

type State = World<typeof state.fields>;
/** What there is to draw. */
export type Pile = ReadonlyWorld<typeof state.fields>;

const physics = rapier(RAPIER, () => {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(RAPIER.ColliderDesc.cuboid(FLOOR, 1, FLOOR).setTranslation(0, -1, 0));
  for (const side of [-1, 1]) {
    world.createCollider(RAPIER.ColliderDesc.cuboid(1, 9, FLOOR).setTranslation(side * (FLOOR + 1), 9, 0));
    world.createCollider(RAPIER.ColliderDesc.cuboid(FLOOR, 9, 1).setTranslation(0, 9, side * (FLOOR + 1)));
  }
  return world;
});

export const game = simulation({
  name: "pile",
  version: 1,
  rate: 30,
  state,
  // How often Rapier's solver goes over all contacts in a step: that is what makes a step expensive.
  input: { iterations: int(1, 100) },
  external: { physics },

  init(pile, { random, external }) {
    const { world } = external.physics;
    for (let i = 0; i < BOXES; i++) {
      const [column, row, floor] = [i % 13, Math.floor(i / 13) % 13, Math.floor(i / 169)];
      const description = RAPIER.RigidBodyDesc.dynamic()
        .setTranslation(column * 1.1 - 6.6 + 0.1 * random.float(), 0.5 + floor, row * 1.1 - 6.6)
        .setCanSleep(false);
      const body = world.createRigidBody(description);
      world.createCollider(RAPIER.ColliderDesc.cuboid(BOX / 2, BOX / 2, BOX / 2), body);
      pile.boxes.add({ body: body.handle });
    }
    const body = world.createRigidBody(
      RAPIER.RigidBodyDesc.kinematicPositionBased().setTranslation(0, 20, 0),
    );
    world.createCollider(RAPIER.ColliderDesc.ball(BALL), body);
    pile.ball.body = body.handle;
    read(pile, world);
  },

  step(pile, [player], { dt, tick, external }) {
    const { world } = external.physics;
    const [turn, height] = [0.8 * tick * dt, Math.max(1.2 * BALL, 8 - 4 * tick * dt)];
    const next = { x: 4 * cos(turn), y: height, z: 4 * sin(turn) };
    world.getRigidBody(pile.ball.body).setNextKinematicTranslation(next);
    world.numSolverIterations = player.iterations;
    world.timestep = dt;
    world.step();
    read(pile, world);
  },
});

/** Copies what is drawn from Rapier to the state. */
function read({ ball, boxes }: State, world: RAPIER.World): void {
  const { x, y, z } = world.getRigidBody(ball.body).translation();
  ball.position.set([x, y, z]);
  for (const box of boxes) {
    const body = world.getRigidBody(box.body);
    const at = body.translation();
    const turn = body.rotation();
    box.position.set([at.x, at.y, at.z]);
    box.rotation.set([turn.x, turn.y, turn.z, turn.w]);
  }
}
