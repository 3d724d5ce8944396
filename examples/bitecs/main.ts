// bitECS. Its components are columns of one buffer, so a copy of the buffer is the whole game: hold R to rewind.
import { display, Loop } from "tickwise";
import { guard, localSession } from "tickwise/sim";
import { syncRows } from "tickwise/state";
import { controls } from "../page.js";
import { game, HEIGHT, WIDTH } from "./game.js";

const pen = document.querySelector("canvas")!.getContext("2d")!;
const hull = new Path2D("M 15 0 L -11 10 L -6 0 L -11 -10 Z");

const keys = new Set<string>();
addEventListener("keydown", ({ code, repeat }) => {
  keys.add(code);
  if (code === "KeyR" && !repeat) session.rewind(2); // ticks per step
});
addEventListener("keyup", ({ code }) => {
  keys.delete(code);
  if (code === "KeyR") session.endRewind(); // play on from here
});
addEventListener("blur", () => {
  // Key-up events are lost while the window is unfocused.
  keys.clear();
  session.endRewind();
});

const session = localSession(game, {
  seed: "a field of rocks",
  history: { seconds: 30 },
  // During development, throws if a step calls Math.random, Date.now and the like.
  guard: import.meta.env.DEV ? guard() : undefined,
  inputs([player]) {
    player!.left = keys.has("ArrowLeft");
    player!.right = keys.has("ArrowRight");
    player!.fire = keys.has("KeyF");
  },
});

/** Rocks and shots. They fade out for a moment after their rows are removed. */
const FADE = 0.3;
const discs = syncRows(session.world.things, {
  add: () => ({ x: 0, y: 0, radius: 0, colour: "" }),
  update(shape, { position, round, life }, row) {
    const isRock = round.radius[row]! > 0;
    shape.x = position.x[row]!;
    shape.y = position.y[row]!;
    shape.radius = isRock ? round.radius[row]! : life.left[row]! > 0 ? 3 : 0;
    shape.colour = isRock ? "#48627a" : "#6fc3df";
    disc(shape.x, shape.y, shape.radius, shape.colour);
  },
  leaveTime: FADE,
  leave({ x, y, radius, colour }, age) {
    pen.globalAlpha = 1 - age / FADE;
    disc(x, y, radius, colour);
    pen.globalAlpha = 1;
  },
  remove() {},
});

/** Explosion rings are not part of the state. Each effect is emitted once, and not again during a rewind. */
const rings: { x: number; y: number; radius: number; age: number }[] = [];
session.on("effect", ({ x, y, radius }) => rings.push({ x, y, radius, age: 0 }));

const loop = new Loop({
  rate: game.rate,
  step: () => session.advance(),
  render({ alpha, delta }) {
    const { ship, things } = session.view(alpha);
    pen.reset();
    discs.sync(things, delta);
    for (const ring of rings) {
      ring.age += delta;
      pen.globalAlpha = Math.max(0, 1 - 2 * ring.age);
      circle(ring.x, ring.y, ring.radius * (1 + 2 * ring.age));
    }
    while (rings[0] && rings[0].age > 0.5) rings.shift();
    pen.globalAlpha = 1;

    const { position, heading } = things.get(ship)!;
    pen.save();
    pen.translate(position.x, position.y);
    pen.rotate(heading.angle);
    pen.fillStyle = "#ff9f1c";
    pen.fill(hull);
    pen.restore();

    // The position within the history.
    const { first, last, tick } = session;
    pen.fillStyle = session.rewinding ? "#6fc3df" : "#48627a";
    pen.fillRect(0, HEIGHT - 4, (WIDTH * (tick - first)) / Math.max(1, last - first), 4);
  },
});

function disc(x: number, y: number, radius: number, colour: string) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.fill();
}

function circle(x: number, y: number, radius: number) {
  pen.strokeStyle = "#6fc3df";
  pen.beginPath();
  pen.arc(x, y, radius, 0, 2 * Math.PI);
  pen.stroke();
}

controls(loop);
loop.start(display());
