// Excalibur. Its own clock is stopped: Tickwise updates the scene in steps of exactly dt, and draws it in every frame.
import { Actor, CollisionType, Color, DisplayMode, Engine, vec } from "excalibur";
import { display, Loop } from "tickwise";
import { smooth, teleport, vector2, type SmoothLoop } from "tickwise/blend";
import { sin } from "tickwise/math";
import { controls, hasWebGL } from "../page.js";

const BLUE = Color.fromHex("#6fc3df");

async function run() {
  const game = new Engine({
    canvasElement: document.querySelector("canvas")!,
    width: 768,
    height: 432,
    displayMode: DisplayMode.Fixed,
    suppressConsoleBootMessage: true,
  });
  // A clock that never ticks by itself.
  game.debug.useTestClock();
  await game.start();
  game.graphicsContext.backgroundColor = Color.fromHex("#1b2733");

  const ball = new Actor({
    radius: 14,
    color: Color.fromHex("#ff9f1c"),
    collisionType: CollisionType.Passive,
  });
  game.add(ball);
  const paddle = block(384, 400, 130, 14);
  block(-20, 216, 40, 900); // walls: left, right, top
  block(788, 216, 40, 900);
  block(384, -20, 900, 40);
  const bricks = new Set<Actor>();
  serve();

  function block(x: number, y: number, width: number, height: number, color = BLUE) {
    const actor = new Actor({ x, y, width, height, color, collisionType: CollisionType.Fixed });
    game.add(actor);
    return actor;
  }

  function serve() {
    ball.pos = vec(384, 240);
    ball.vel = vec(120, 300);
    for (const brick of bricks) brick.kill();
    bricks.clear();
    for (let row = 0; row < 4; row++)
      for (let x = 60; x < 768; x += 72) bricks.add(block(x, 40 + 32 * row, 64, 24, BLUE.darken(0.12 * row)));
  }

  ball.on("collisionstart", ({ other, contact: { mtv } }) => {
    const struck = other.owner as Actor;
    const { x, y } = ball.pos.sub(struck.pos);
    if (struck === paddle) ball.vel = vec(x * 5, -300);
    else if (Math.abs(mtv.x) > Math.abs(mtv.y)) ball.vel.x = Math.sign(x) * Math.abs(ball.vel.x);
    else ball.vel.y = Math.sign(y) * Math.abs(ball.vel.y);
    if (bricks.delete(struck)) struck.kill();
  });

  const loop = new Loop({
    rate: 30,
    step({ dt, time }) {
      // The paddle follows the ball, imperfectly.
      paddle.vel = vec(5 * (ball.pos.x + 100 * sin(time) - paddle.pos.x), 0);
      game.currentScene.update(game, dt * 1000);
      game.input.update();
      if (ball.pos.y > 470 || bricks.size === 0) {
        serve();
        teleport(ball); // do not blend across the jump
      }
    },
    render({ delta }) {
      const { graphicsContext: context, currentScene } = game;
      context.beginDrawLifecycle();
      context.clear();
      currentScene.draw(context, delta * 1000);
      context.flush();
      context.endDrawLifecycle();
    },
  });
  for (const actor of [ball, paddle]) drawSmooth(loop, actor);
  controls(loop);
  loop.start(display());
}

/** Draws an actor at its blended position. Moves the drawing context only: the actor's state must not change. */
function drawSmooth(loop: SmoothLoop, actor: Actor) {
  const shown = smooth(loop, actor, { pos: vector2 });
  actor.graphics.onPreTransformDraw = (context) => {
    context.save();
    context.translate(shown.pos.x - actor.pos.x, shown.pos.y - actor.pos.y);
  };
  actor.graphics.onPostTransformDraw = (context) => context.restore();
}

if (hasWebGL()) void run();
