// Matter.js. Its Runner is a loop with an accumulator: call `Engine.update` instead.
import { Bodies, Body, Composite, Engine, Runner } from "matter-js";

/** A ball that moves at 60 units per second. */
export function matterBall() {
  const engine = Engine.create({ gravity: { x: 0, y: 0 } });
  const ball = Bodies.circle(0, 0, 1, { frictionAir: 0 });
  Composite.add(engine.world, ball);
  Body.setVelocity(ball, { x: 1, y: 0 }); // per 1/60 s, at any step
  const runner = Runner.create({ delta: 1000 / 60, frameDeltaSmoothing: false });
  let time = 1000;
  return {
    step(dt: number) {
      // At most 1000 / 60 ms at once, as Matter asks: two equal parts of a step.
      for (let i = 0; i < 2; i++) Engine.update(engine, 500 * dt);
    },
    /** Wrong inside a loop: steps of 1/60 s, from an accumulator of its own. */
    leftOn(dt: number) {
      time += 1000 * dt;
      Runner.tick(runner, engine, time);
    },
    x: () => ball.position.x,
  };
}
