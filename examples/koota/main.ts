// koota. Entities and their traits are the state: only steps change them, and frames draw them blended.
import { createWorld, trait } from "koota";
import { display, Loop } from "tickwise";
import { hold, scalar, smoothAll, teleport } from "tickwise/blend";
import { random, sin } from "tickwise/math";
import { controls } from "../page.js";

// Drawn blended: one object per entity, which `smoothAll` recognises as long as the entity lives.
const Body = trait(() => ({ x: 0, y: 0, radius: 0, colour: "" }));
// Only steps use these: plain columns, koota's fastest form.
const Velocity = trait({ x: 0, y: 0 });
const Life = trait({ left: 0 });
const IsRover = trait();

const world = createWorld();
const dice = random(new Uint32Array(4)).seed("sparks"); // not Math.random: the same sparks in every run
const rover = world.spawn(
  Body({ x: 60, y: 340, radius: 22, colour: "#ff9f1c" }),
  Velocity({ x: 170, y: 0 }),
  IsRover,
);

// Systems are functions of the world, called in a fixed order.
function steer(time: number) {
  rover.set(Velocity, { x: 170, y: 90 * sin(3 * time) });
}

function spawn(tick: number) {
  const { x, y } = rover.get(Body)!;
  for (let i = 0; i < 2 + (tick % 2); i++)
    world.spawn(
      Body({ x: x - 30, y, radius: 3 + 5 * dice.float(), colour: "#6fc3df" }),
      Velocity({ x: 40 - 160 * dice.float(), y: -180 - 160 * dice.float() }),
      Life({ left: 1 + dice.float() }),
    );
}

function move(dt: number) {
  world.query(Body, Velocity).updateEach(([body, velocity], entity) => {
    if (!entity.has(IsRover)) velocity.y += 300 * dt;
    body.x += velocity.x * dt;
    body.y += velocity.y * dt;
  });
  const body = rover.get(Body)!;
  if (body.x < 800) return;
  body.x = -30;
  teleport(body); // do not blend across the jump
}

function age(dt: number) {
  world.query(Life).updateEach(([life], entity) => {
    life.left -= dt;
    if (life.left <= 0) entity.destroy();
  });
}

const loop = new Loop({
  rate: 20,
  step({ dt, tick, time }) {
    steer(time);
    spawn(tick);
    move(dt);
    age(dt);
  },
  render() {
    pen.reset();
    for (const { x, y, radius, colour } of shown) {
      pen.fillStyle = colour;
      pen.beginPath();
      pen.arc(x, y, radius, 0, 2 * Math.PI);
      pen.fill();
    }
  },
});

/** The bodies of all entities, in a list that is filled again whenever the loop asks. */
const bodies: { x: number; y: number; radius: number; colour: string }[] = [];
function list() {
  bodies.length = 0;
  world.query(Body).readEach(([body]) => void bodies.push(body));
  return bodies;
}
const shown = smoothAll(loop, list, { x: scalar, y: scalar, radius: hold, colour: hold });

const pen = document.querySelector("canvas")!.getContext("2d")!;
controls(loop);
loop.start(display());
