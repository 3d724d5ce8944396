// ammo.js (Bullet). With 0 substeps, `stepSimulation` simulates exactly dt and does not interpolate.
import Ammo from "ammojs-typed";

const bullet = await Ammo({});

/** A ball that moves at 60 units per second. */
export function ammoBall() {
  const settings = new bullet.btDefaultCollisionConfiguration();
  const world = new bullet.btDiscreteDynamicsWorld(
    new bullet.btCollisionDispatcher(settings),
    new bullet.btDbvtBroadphase(),
    new bullet.btSequentialImpulseConstraintSolver(),
    settings,
  );
  world.setGravity(new bullet.btVector3(0, 0, 0));
  const place = new bullet.btTransform();
  place.setIdentity();
  const motion = new bullet.btDefaultMotionState(place);
  const inertia = new bullet.btVector3(1, 1, 1);
  const info = new bullet.btRigidBodyConstructionInfo(1, motion, new bullet.btSphereShape(1), inertia);
  const ball = new bullet.btRigidBody(info);
  ball.setLinearVelocity(new bullet.btVector3(60, 0, 0));
  world.addRigidBody(ball);
  return {
    step: (dt: number) => void world.stepSimulation(dt, 0),
    /** Wrong inside a loop: steps of 1/60 s, at most one per call unless told otherwise, and the rest of the time is lost. */
    leftOn: (dt: number, maxSubSteps = 1) => void world.stepSimulation(dt, maxSubSteps),
    x: () => ball.getWorldTransform().getOrigin().x(),
    /** Where Bullet's own interpolation says that it is. With `step`, the same as `x`. */
    motionX() {
      motion.getWorldTransform(place);
      return place.getOrigin().x();
    },
  };
}
