// PixiJS 8. Its tickers are stopped; Tickwise steps the fish, and draws the sprites, which are pictures of them.
import { Application, Graphics, Sprite, Ticker } from "pixi.js";
import { Loop } from "tickwise";
import { angle, number, smoothAll, teleport } from "tickwise/blend";
import { cos, sin } from "tickwise/math";
import { controls, hasWebGL } from "../page.js";

const WIDTH = 768;
const HEIGHT = 432;
const MARGIN = 40; // where nobody sees them

class Fish {
  heading = 0;
  constructor(
    public x: number,
    public y: number,
    readonly speed: number,
    readonly phase: number,
    readonly size: number,
  ) {}

  step(dt: number, time: number) {
    this.heading = 0.5 * sin(1.3 * time + this.phase);
    this.x += cos(this.heading) * this.speed * dt;
    this.y += sin(this.heading) * this.speed * dt;
    if (this.x < WIDTH + MARGIN) return;
    this.x = -MARGIN;
    teleport(this); // or it would be seen rushing back across the sea
  }
}

async function run() {
  const shoal = Array.from({ length: 40 }, (_, i) => {
    const [x, y] = [(i * 311) % (WIDTH + MARGIN), 30 + ((i * 137) % (HEIGHT - 60))];
    return new Fish(x, y, 70 + ((i * 29) % 70), i, 0.5 + (i % 5) * 0.1);
  });
  shoal.push(new Fish(0, HEIGHT / 2, 280, 2, 1.4));

  // The application's own ticker is not started; the one of Pixi's housekeeping would start itself.
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
  const sprites = shoal.map(({ size }) => {
    const sprite = new Sprite({ texture, anchor: { x: 0.6, y: 0.5 }, scale: size });
    sprite.tint = size > 1 ? "#ff9f1c" : "#6fc3df";
    return app.stage.addChild(sprite);
  });

  const loop = new Loop({
    rate: 30,
    step({ dt, time }) {
      for (const fish of shoal) fish.step(dt, time);
    },
    render() {
      for (const [i, { x, y, heading }] of shown.entries()) {
        sprites[i]!.position.set(x, y);
        sprites[i]!.rotation = heading;
      }
      Ticker.system.update();
      app.render();
    },
  });
  const shown = smoothAll(loop, shoal, { x: number, y: number, heading: angle });
  controls(loop);
  loop.start();
}

if (hasWebGL()) void run();
