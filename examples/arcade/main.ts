// Phaser's Arcade physics in fixed steps. Its own update is off, and its bodies have no game objects: Arcade reads the
// position of a game object back into its body, so a sprite at a blended position would move the body.
import { Core, Game, Scene, type GameObjects, type Physics } from "phaser";
import { display, every, Loop } from "tickwise";
import { smoothAll, teleport, vector2 } from "tickwise/blend";
import { config } from "../phaser/scene.js";
import { controls, hasWebGL } from "../page.js";

class Crates extends Scene {
  bodies: Physics.Arcade.Body[] = [];
  private sprites: GameObjects.Rectangle[] = [];

  create() {
    for (let i = 0; i < 12; i++) {
      const side = i ? 20 + (i % 4) * 6 : 48;
      const body = this.physics.add.body(i ? 60 * i - 20 : 40, i ? 20 + ((i * 67) % 160) : 20, side, side);
      body
        .setVelocity(i ? 180 - 31 * i : 160, 0)
        .setBounce(1, 0.96)
        .setCollideWorldBounds(true);
      this.bodies.push(body);
      this.sprites.push(this.add.rectangle(0, 0, side, side, i ? 0x6fc3df : 0xff9f1c).setOrigin(0));
    }
    this.sprites[0]!.setDepth(1);
  }

  show(views: readonly { position: { x: number; y: number } }[]) {
    for (const [i, { position }] of views.entries()) this.sprites[i]?.setPosition(position.x, position.y);
  }
}

function run() {
  const scene = new Crates("crates");
  // customUpdate: Arcade no longer steps in Phaser's frames. fixedStep: it simulates what it is given, at once.
  const arcade = { customUpdate: true, fixedStep: false, gravity: { x: 0, y: 400 } };
  const game = new Game({ ...config, scene, physics: { default: "arcade", arcade } });
  game.events.once(Core.Events.READY, () => {
    game.loop.stop();
    let milliseconds = 0;

    const loop = new Loop({
      rate: 30,
      step({ dt, time }) {
        const { world } = scene.physics;
        world.update(1000 * time, 1000 * dt);
        world.postUpdate();
      },
      render({ delta }) {
        scene.show(shown);
        milliseconds += 1000 * delta;
        game.step(milliseconds, 1000 * delta);
      },
    });
    const shown = smoothAll(loop, scene.bodies, { position: vector2 });

    // Every four seconds of simulated time, throw the orange crate again.
    every(loop, [1, 4], () => {
      const body = scene.bodies[0]!;
      body.position.set(40, 20);
      body.setVelocity(160, 0);
      teleport(body); // do not blend across the jump
    });
    controls(loop);
    loop.start(display());
  });
}

if (hasWebGL()) run();
