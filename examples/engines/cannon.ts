// cannon-es. `step` with a second argument counts time itself: pass only dt.
import { Body, Sphere, Vec3, World } from "cannon-es";

/** A ball that moves at 60 units per second. */
export function cannonBall() {
  const world = new World();
  const shape = new Sphere(1);
  const ball = new Body({ mass: 1, shape, velocity: new Vec3(60, 0, 0), linearDamping: 0 });
  world.addBody(ball);
  return {
    step: (dt: number) => world.step(dt),
    /** Wrong inside a loop: steps of 1/60 s, from an accumulator of its own. */
    leftOn: (dt: number) => world.step(1 / 60, dt),
    x: () => ball.position.x, // not interpolatedPosition
  };
}
