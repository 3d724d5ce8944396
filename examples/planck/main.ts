// Planck (Box2D). The physics world is the state: it runs in fixed steps, and frames blend between them.
import { Box, World, type Body } from "planck";
import { display, every, Loop } from "tickwise";
import { angle, scalar, smooth, smoothAll, teleport } from "tickwise/blend";
import { controls } from "../page.js";

/** A body as it is drawn. The getters read the body after each step; nothing is written back. */
class Shape {
  constructor(
    readonly body: Body,
    readonly half: number,
    readonly colour: string,
  ) {}
  get x() {
    return this.body.getPosition().x;
  }
  get y() {
    return this.body.getPosition().y;
  }
  get angle() {
    return this.body.getAngle();
  }
}

const world = new World({ gravity: { x: 0, y: -10 } });

// A rotating drum: four walls around a square of 10 metres.
const drum = new Shape(world.createBody({ type: "kinematic", angularVelocity: 0.7 }), 5, "#48627a");
for (const [x, y, width, height] of [
  [5.25, 0, 0.25, 5.5],
  [-5.25, 0, 0.25, 5.5],
  [0, 5.25, 5.5, 0.25],
  [0, -5.25, 5.5, 0.25],
] as const)
  drum.body.createFixture({ shape: new Box(width, height, { x, y }), friction: 0.6 });

const crates = Array.from({ length: 28 }, (_, i) => {
  const half = i ? 0.35 + (i % 4) * 0.08 : 0.75;
  const position = { x: (i % 6) * 1.2 - 3, y: Math.floor(i / 6) * 1.3 - 2.5 };
  const body = world.createBody({ type: "dynamic", position });
  body.createFixture({ shape: new Box(half, half), density: 1, friction: 0.4, restitution: 0.1 });
  return new Shape(body, half, i ? "#6fc3df" : "#ff9f1c");
});

const loop = new Loop({
  rate: 30,
  step: ({ dt }) => world.step(dt),
  render() {
    pen.reset();
    pen.translate(768 / 2, 432 / 2);
    pen.scale(26, -26);
    draw(shownDrum, drum, 0.5);
    for (const [i, view] of shown.entries()) draw(view, crates[i]!, 0);
  },
});
const shownDrum = smooth(loop, drum, { x: scalar, y: scalar, angle });
const shown = smoothAll(loop, crates, { x: scalar, y: scalar, angle });

// Every three seconds of simulated time, move the large crate back to the middle.
every(loop, [1, 3], () => {
  const [large] = crates;
  large!.body.setTransform({ x: 0, y: 2.5 }, 0);
  large!.body.setLinearVelocity({ x: 0, y: 0 });
  teleport(large!);
});

function draw(view: { x: number; y: number; angle: number }, { half, colour }: Shape, wall: number) {
  pen.save();
  pen.translate(view.x, view.y);
  pen.rotate(view.angle);
  pen.fillStyle = pen.strokeStyle = colour;
  pen.lineWidth = wall;
  const side = half + wall / 2;
  if (wall) pen.strokeRect(-side, -side, 2 * side, 2 * side);
  else pen.fillRect(-side, -side, 2 * side, 2 * side);
  pen.restore();
}

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
