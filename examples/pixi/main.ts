// PixiJS 8. Its tickers are stopped: Tickwise steps the fish, and copies them to sprites in every frame.
import { Application, Graphics, Sprite, Ticker } from "pixi.js";
import { display, Loop } from "tickwise";
import { cos, sin } from "tickwise/math";
import { localSession, simulation } from "tickwise/sim";
import { f64, layout, syncRows, table } from "tickwise/state";
import { controls, hasWebGL } from "../page.js";

const WIDTH = 768;
const HEIGHT = 432;
const MARGIN = 40; // off screen

const game = simulation({
  name: "shoal",
  version: 1,
  rate: 30,
  state: layout({
    shoal: table(41, {
      x: f64.lerp,
      y: f64.lerp,
      heading: f64.angle,
      speed: f64,
      phase: f64,
      size: f64,
    }),
  }),
  init({ shoal }) {
    for (let i = 0; i < 40; i++) {
      const [x, y] = [(i * 311) % (WIDTH + MARGIN), 30 + ((i * 137) % (HEIGHT - 60))];
      shoal.add({ x, y, speed: 70 + ((i * 29) % 70), phase: i, size: 0.5 + (i % 5) * 0.1 });
    }
    shoal.add({ y: HEIGHT / 2, speed: 280, phase: 2, size: 1.4 });
  },
  step({ shoal }, _, { dt, time }) {
    for (const fish of shoal) {
      fish.heading = 0.5 * sin(1.3 * time + fish.phase);
      fish.x += cos(fish.heading) * fish.speed * dt;
      fish.y += sin(fish.heading) * fish.speed * dt;
      if (fish.x < WIDTH + MARGIN) continue;
      // Replace a fish that has left the screen with a new one on the other side.
      const { y, speed, phase, size } = fish;
      shoal.remove(fish);
      shoal.add({ x: -MARGIN, y, speed, phase, size });
    }
  },
});

async function run() {
  // autoStart below stops the application's ticker. This one, for Pixi's housekeeping, would start by itself.
  Ticker.system.autoStart = false;
  Ticker.system.stop();
  const app = new Application();
  await app.init({
    autoStart: false,
    canvas: document.querySelector("canvas")!,
    width: WIDTH,
    height: HEIGHT,
    background: "#14465e",
    antialias: true,
    preference: "webgl",
  });
  const outline = new Graphics()
    .ellipse(0, 0, 22, 11)
    .fill("white")
    .poly([-16, 0, -34, -12, -34, 12])
    .fill("white");
  const texture = app.renderer.generateTexture({ target: outline, resolution: 2, antialias: true });
  const session = localSession(game);
  const sprites = syncRows(session.world.shoal, {
    add({ size }, row) {
      const sprite = new Sprite({ texture, anchor: { x: 0.6, y: 0.5 }, scale: size[row]! });
      sprite.tint = size[row]! > 1 ? "#ff9f1c" : "#6fc3df";
      return app.stage.addChild(sprite);
    },
    update(sprite, { x, y, heading }, row) {
      sprite.position.set(x[row]!, y[row]!);
      sprite.rotation = heading[row]!;
    },
    remove: (sprite) => sprite.destroy(),
  });

  const loop = new Loop({
    rate: game.rate,
    step: () => session.advance(),
    render({ alpha }) {
      sprites.sync(session.view(alpha).shoal);
      Ticker.system.update();
      app.render();
    },
  });
  controls(loop);
  loop.start(display());
}

if (hasWebGL()) void run();
