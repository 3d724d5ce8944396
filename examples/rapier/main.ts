// Rapier, in its deterministic build. The physics runs in fixed steps, and frames blend between them.
import RAPIER from "@dimforge/rapier2d-deterministic-compat";
import { display, Loop } from "tickwise";
import { angle, smoothAll, teleport, vector2 } from "tickwise/blend";
import { controls } from "../page.js";

/** A ball. Rapier returns new objects from every call, so its position is read once per step and kept here. */
class Ball {
  position = { x: 0, y: 0 };
  rotation = 0;
  constructor(
    readonly body: RAPIER.RigidBody,
    readonly radius: number,
    readonly colour: string,
  ) {
    this.read();
  }

  read() {
    this.position = this.body.translation();
    this.rotation = this.body.rotation();
  }

  /** Moves the ball back to the top. */
  respawn() {
    this.body.setTranslation({ x: this.position.x / 2, y: 8 }, true);
    this.body.setLinvel({ x: 0, y: 0 }, true);
    teleport(this);
  }
}

await RAPIER.init();
const world = new RAPIER.World({ x: 0, y: -9.81 });

const pegs: { x: number; y: number }[] = [];
for (let row = 0; row < 6; row++)
  for (let x = -12 + 1.2 * (row % 2); x <= 12.1; x += 2.4) pegs.push({ x, y: 5 - row * 2 });
for (const { x, y } of pegs) world.createCollider(RAPIER.ColliderDesc.ball(0.2).setTranslation(x, y));
for (const x of [-13, 13]) world.createCollider(RAPIER.ColliderDesc.cuboid(0.2, 20).setTranslation(x, 0));

const balls = Array.from({ length: 40 }, (_, i) => {
  const description = RAPIER.RigidBodyDesc.dynamic().setTranslation(
    ((i * 37 + 11) % 23) - 11.03,
    8 + i * 0.7,
  );
  const body = world.createRigidBody(description);
  const radius = i ? 0.28 + (i % 3) * 0.07 : 0.55;
  world.createCollider(RAPIER.ColliderDesc.ball(radius).setRestitution(0.5), body);
  return new Ball(body, radius, i ? "#6fc3df" : "#ff9f1c");
});

const loop = new Loop({
  rate: 30,
  step({ dt }) {
    world.timestep = dt;
    world.step();
    for (const ball of balls) {
      if (ball.position.y < -8.5) ball.respawn();
      ball.read(); // after respawn, so that the new position belongs to the step that teleports
    }
  },
  render() {
    pen.reset();
    pen.translate(768 / 2, 432 / 2);
    pen.scale(28, -28);
    for (const { x, y } of pegs) disc(x, y, 0.2, "#7d8fa1");
    for (const [i, view] of shown.entries()) {
      const { radius, colour } = balls[i]!;
      const { x, y } = view.position;
      disc(x, y, radius, colour);
      const off = radius / 2;
      disc(x + off * Math.cos(view.rotation), y + off * Math.sin(view.rotation), radius / 4, "#1b2733");
    }
  },
});
const shown = smoothAll(loop, balls, { position: vector2, rotation: angle });

function disc(x: number, y: number, radius: number, colour: string) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
