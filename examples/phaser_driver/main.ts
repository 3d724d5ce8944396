// Phaser 4 drives Tickwise. Phaser's loop runs, and its frames drive ours, before the scenes are updated and drawn.
import { Core, Game } from "phaser";
import { display, Loop, type FrameSource } from "tickwise";
import { angle, scalar, smoothAll } from "tickwise/blend";
import { balls, BallScene, config } from "../phaser/scene.js";
import { controls, hasWebGL } from "../page.js";

/** The frames of a Phaser game. Phaser passes on the timestamp of the display's frame. */
const framesOf = (game: Game): FrameSource => ({
  begin(frame) {
    // Not `on(STEP, frame)`: Phaser's second argument is a delta, and ours discards the elapsed time.
    const onStep = (time: number) => frame(time);
    game.events.on(Core.Events.STEP, onStep);
    return () => void game.events.off(Core.Events.STEP, onStep);
  },
  now: () => performance.now(),
});

function run() {
  const scene = new BallScene("balls");
  const game = new Game({ ...config, scene });
  game.events.once(Core.Events.READY, () => {
    const loop = new Loop({
      rate: 30,
      step({ dt }) {
        for (const ball of balls) ball.step(dt);
      },
      // Only places the sprites: Phaser draws them right after.
      render: () => scene.show(shown),
    });
    const shown = smoothAll(loop, balls, { x: scalar, y: scalar, turn: angle });
    // A paused loop still gets frames, and Phaser's scenes still run in them. Pause them too.
    loop.on("pause", () => void scene.scene.pause());
    loop.on("resume", () => void scene.scene.resume());
    controls(loop);
    loop.start(display({ frames: framesOf(game) }));
  });
}

if (hasWebGL()) run();
