// The game of both Phaser examples: what is simulated, and a scene that draws it. Phaser's own physics is off.
import { Scene, WEBGL, type GameObjects, type Types } from "phaser";
import { teleport } from "tickwise/blend";

const FLOOR = 400;

/** The state. Phaser never writes to it. */
class Ball {
  x = 0;
  y = 0;
  turn = 0;
  vx = 0;
  vy = 0;
  constructor(
    readonly start: number,
    readonly radius: number,
  ) {
    this.throw();
    this.x = start;
  }

  throw() {
    this.x = -40;
    this.y = 60 + (this.start % 120);
    this.vx = 130 + (this.start % 130);
    this.vy = 0;
    teleport(this); // do not blend across the jump
  }

  step(dt: number) {
    this.vy += 900 * dt;
    this.x += this.vx * dt;
    this.y += this.vy * dt;
    this.turn += (this.vx / this.radius) * dt;
    if (this.y > FLOOR - this.radius) {
      this.y = FLOOR - this.radius;
      this.vy *= -0.97;
    }
    if (this.x > 808) this.throw();
  }
}

export const balls = Array.from(
  { length: 16 },
  (_, i) => new Ball((i * 317 + 200) % 760, i ? 12 + (i % 4) * 4 : 30),
);

/** The sprites, and a trail of particles that runs in Phaser's own frames. */
export class BallScene extends Scene {
  private sprites: GameObjects.Image[] = [];

  create() {
    this.add.rectangle(384, 416, 768, 32, 0x48627a);
    const pen = this.add.graphics();
    pen.fillStyle(0xffffff).fillCircle(32, 32, 32).fillStyle(0x1b2733).fillCircle(32, 14, 6);
    pen.generateTexture("ball", 64, 64).destroy();
    this.sprites = balls.map(({ radius }, i) =>
      this.add
        .image(0, 0, "ball")
        .setDisplaySize(2 * radius, 2 * radius)
        .setTint(i ? 0x6fc3df : 0xff9f1c)
        .setDepth(i ? 0 : 1),
    );
    const trail = { scale: { start: 0.15, end: 0 }, lifespan: 600, frequency: 40, tint: 0x6fc3df };
    this.add.particles(0, 0, "ball", trail).startFollow(this.sprites[1]!).setDepth(-1);
  }

  /** Places the sprites. Call it in every frame, before Phaser draws. */
  show(views: readonly { x: number; y: number; turn: number }[]) {
    for (const [i, { x, y, turn }] of views.entries()) this.sprites[i]?.setPosition(x, y).setRotation(turn);
  }
}

/** Options of both games. There is no `physics`: the steps are ours. */
export const config = {
  type: WEBGL,
  canvas: document.querySelector("canvas")!,
  width: 768,
  height: 432,
  backgroundColor: "#1b2733",
  banner: false,
  audio: { noAudio: true },
  // Pass on the time between frames as it was, without averaging it over ten frames.
  fps: { smoothStep: false },
} satisfies Types.Core.GameConfig;
