// A stack of boxes in Rapier, at different frame rates.
import type RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { playFrames, type Frames } from "./at-frame-rate.js";

const BOXES = 10;
/** When a ball hits the stack, and how fast it is, in metres per second. */
const SHOT_AT = 1;
const SHOT_SPEED = 12;

/** Where each box is, in metres. A box is a metre wide. */
export type Places = readonly { readonly x: number; readonly y: number }[];

/** Builds a stack that is a little uneven, waits, and returns where its boxes are. With a shot, a ball knocks it over. */
export function boxStack(physics: typeof RAPIER, frames: Frames, hasShot: boolean): Places {
  const { ColliderDesc, RigidBodyDesc, World } = physics;
  const world = new World({ x: 0, y: -9.81 });
  world.createCollider(ColliderDesc.cuboid(50, 1).setTranslation(0, -1));
  const boxes = Array.from({ length: BOXES }, (_, i) => {
    const body = world.createRigidBody(
      RigidBodyDesc.dynamic().setTranslation(i % 2 === 0 ? -0.05 : 0.05, 0.5 + 1.02 * i),
    );
    world.createCollider(ColliderDesc.cuboid(0.5, 0.5), body);
    return body;
  });
  let time = 0;
  let isShot = !hasShot;
  playFrames(frames, (dt) => {
    // The rounding of frame lengths must not make the shot a frame late.
    if (!isShot && time >= SHOT_AT - 1e-6) {
      isShot = true;
      const ball = RigidBodyDesc.dynamic().setTranslation(-8, 6).setLinvel(SHOT_SPEED, 2);
      world.createCollider(ColliderDesc.ball(0.4).setDensity(2), world.createRigidBody(ball));
    }
    world.timestep = dt;
    world.step();
    time += dt;
  });
  const places = boxes.map((box) => ({ ...box.translation() }));
  world.free();
  return places;
}

/** Returns how far apart the boxes of two stacks are: on average, and at most. */
export function distances(a: Places, b: Places): { readonly mean: number; readonly max: number } {
  const all = a.map(({ x, y }, i) => Math.sqrt((x - b[i]!.x) ** 2 + (y - b[i]!.y) ** 2));
  return { mean: all.reduce((sum, one) => sum + one, 0) / all.length, max: Math.max(...all) };
}
