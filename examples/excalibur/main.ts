// Excalibur. Its own clock never runs: Tickwise updates the scene in steps of exactly dt, and draws it in every frame.
import { Actor, CollisionType, Color, DisplayMode, Engine, vec, type Vector } from "excalibur";
import { Loop } from "tickwise";
import { smooth, teleport, vec2 } from "tickwise/blend";
import { controls, hasWebGL } from "../page.js";

const WIDTH = 768;
const HEIGHT = 432;
const ORANGE = Color.fromHex("#ff9f1c");
const BLUE = Color.fromHex("#6fc3df");

async function run() {
  const game = new Engine({
    canvasElement: document.querySelector("canvas")!,
    width: WIDTH,
    height: HEIGHT,
    displayMode: DisplayMode.Fixed,
    backgroundColor: Color.fromHex("#1b2733"),
    suppressConsoleBootMessage: true,
  });
  // A clock that ticks only when it is told to. Nobody tells it.
  game.debug.useTestClock();
  await game.start();

  const ball = new Actor({ radius: 14, color: ORANGE, collisionType: CollisionType.Passive });
  const paddle = new Actor({
    x: 384,
    y: 400,
    width: 130,
    height: 14,
    color: BLUE,
    collisionType: CollisionType.Fixed,
  });
  for (const actor of [ball, paddle]) game.add(actor);
  const bricks = new Set<Actor>();
  serve();

  ball.on("collisionstart", ({ other, contact: { mtv } }) => {
    const struck = other.owner as Actor;
    const [dx, dy] = [ball.pos.x - struck.pos.x, ball.pos.y - struck.pos.y];
    if (struck === paddle) ball.vel = vec(dx * 5, -Math.abs(ball.vel.y));
    else if (Math.abs(mtv.x) > Math.abs(mtv.y))
      ball.vel = vec(Math.sign(dx) * Math.abs(ball.vel.x), ball.vel.y);
    else ball.vel = vec(ball.vel.x, Math.sign(dy) * Math.abs(ball.vel.y));
    if (bricks.delete(struck)) struck.kill();
  });

  function serve() {
    ball.pos = vec(384, 240);
    ball.vel = vec(120, 300);
    for (const brick of bricks) brick.kill();
    bricks.clear();
    for (let i = 0; i < 40; i++) {
      const [x, y] = [60 + (i % 10) * 72, 40 + Math.floor(i / 10) * 32];
      const brick = new Actor({
        x,
        y,
        width: 64,
        height: 24,
        color: BLUE.darken(0.12 * Math.floor(i / 10)),
        collisionType: CollisionType.Fixed,
      });
      bricks.add(brick);
      game.add(brick);
    }
  }

  const loop = new Loop({
    rate: 30,
    step({ dt, time }) {
      // It follows the ball, but not with all its heart.
      paddle.vel.x = 5 * (ball.pos.x + 100 * Math.sin(time) - paddle.pos.x);
      game.currentScene.update(game, dt * 1000);
      game.input.update();
      if (ball.pos.x < 14 || ball.pos.x > WIDTH - 14)
        ball.vel.x = Math.abs(ball.vel.x) * (ball.pos.x < 14 ? 1 : -1);
      if (ball.pos.y < 14) ball.vel.y = Math.abs(ball.vel.y);
      if (ball.pos.y > HEIGHT + 40 || bricks.size === 0) {
        serve();
        teleport(ball); // or it would streak back to the middle
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
  for (const actor of [ball, paddle]) drawAt(actor, smooth(loop, actor, { pos: vec2 }).pos);
  controls(loop);
  loop.start();
}

/** Draws an actor where it is shown. Only the pen is moved: the actor stays where the next update has to find it. */
function drawAt({ graphics, pos }: Actor, shown: Pick<Vector, "x" | "y">) {
  graphics.onPreTransformDraw = (context) => {
    context.save();
    context.translate(shown.x - pos.x, shown.y - pos.y);
  };
  graphics.onPostTransformDraw = (context) => context.restore();
}

if (hasWebGL()) void run();
