// Tickwise drives Phaser 4. Phaser's loop is stopped: each frame of Tickwise calls it once, and Phaser draws.
import { Core, Game } from "phaser";
import { display, Loop } from "tickwise";
import { angle, scalar, smoothAll } from "tickwise/blend";
import { controls, hasWebGL } from "../page.js";
import { balls, BallScene, config } from "./scene.js";

function run() {
  const scene = new BallScene("balls");
  const game = new Game({ ...config, scene });
  game.events.once(Core.Events.READY, () => {
    // From now on, nothing but `render` below calls Phaser.
    game.loop.stop();
    let milliseconds = 0;

    const loop = new Loop({
      rate: 30,
      step({ dt }) {
        for (const ball of balls) ball.step(dt);
      },
      render({ delta }) {
        scene.show(shown);
        // Phaser's clock is ours: its animations and particles pause and slow down with the loop.
        milliseconds += 1000 * delta;
        game.step(milliseconds, 1000 * delta);
      },
    });
    const shown = smoothAll(loop, balls, { x: scalar, y: scalar, turn: angle });
    controls(loop);
    loop.start(display());
  });
}

if (hasWebGL()) run();
