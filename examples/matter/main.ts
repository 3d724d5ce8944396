// Matter.js. Without its Runner, which has an accumulator of its own: the loop updates the engine in fixed steps.
import { Bodies, Body, Composite, Engine } from "matter-js";
import { display, Loop } from "tickwise";
import { angle, smoothAll, teleport, vector2 } from "tickwise/blend";
import { controls } from "../page.js";

const engine = Engine.create();

const slopes = [
  [270, 150, 500, 0.25],
  [500, 330, 500, -0.25],
] as const;
for (const [x, y, width, tilt] of slopes)
  Composite.add(
    engine.world,
    Bodies.rectangle(x, y, width, 14, { isStatic: true, angle: tilt, friction: 0, frictionStatic: 0 }),
  );

/** Half the side of each crate. The first one is the large orange one. */
const half = (i: number) => (i ? 9 + (i % 3) * 3 : 20);
const crates = Array.from({ length: 18 }, (_, i) =>
  Bodies.rectangle(60 + ((i * 53) % 300), 40 - i * 45, 2 * half(i), 2 * half(i), {
    friction: 0,
    frictionStatic: 0,
    restitution: 0.3,
  }),
);
Composite.add(engine.world, crates);

const loop = new Loop({
  rate: 30,
  step({ dt }) {
    // In milliseconds, and no more than 1000 / 60, as Matter asks: two equal parts of a step.
    Engine.update(engine, 500 * dt);
    Engine.update(engine, 500 * dt);
    for (const [i, crate] of crates.entries()) {
      if (crate.position.y < 480) continue;
      Body.setPosition(crate, { x: 60 + ((i * 53) % 300), y: -30 });
      Body.setVelocity(crate, { x: 0, y: 0 });
      teleport(crate); // do not blend across the jump
    }
  },
  render() {
    pen.reset();
    pen.fillStyle = "#48627a";
    for (const [x, y, width, tilt] of slopes) draw(x, y, tilt, width, 14);
    for (const [i, { position, angle: turn }] of shown.entries()) {
      pen.fillStyle = i ? "#6fc3df" : "#ff9f1c";
      draw(position.x, position.y, turn, 2 * half(i), 2 * half(i));
    }
  },
});
// A body's position and angle can be followed as they are.
const shown = smoothAll(loop, crates, { position: vector2, angle });

function draw(x: number, y: number, turn: number, width: number, height: number) {
  pen.save();
  pen.translate(x, y);
  pen.rotate(turn);
  pen.fillRect(-width / 2, -height / 2, width, height);
  pen.restore();
}

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
