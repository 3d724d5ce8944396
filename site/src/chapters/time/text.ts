import type { ChapterText } from "../../figure/chapter.js";

export const time: ChapterText = {
  id: "time",
  title: "Time",
  sentence:
    "A scaled <code>deltaTime</code> makes slow motion a different game: a jump that always worked now fails.",
  more: [
    "The character runs off an edge and jumps four steps too late. The game forgives five. At a quarter of the speed, each step is a quarter as long, so the same delay takes sixteen steps, and the character falls. At twice the speed, the arc is lower. And a negative <code>deltaTime</code> does not run the game backwards: collisions and counters cannot be undone.",
    "Scale the clock instead. <code>timeScale</code> changes how often steps run, never their length. Slow motion, fast forward and a hit-stop show the same jump, bit for bit, and blending keeps it smooth. A history keeps the states of the last seconds, and a rewind shows them again. Move the slider while the character is in the air.",
  ],
  sides: { broken: "Scaled deltaTime", fixed: "Scaled clock" },
  control: { label: "Jog wheel", min: -1, max: 2, step: 0.05, initial: 0.25, unit: "×" },
  imports: {
    fixed: `import { timeScale } from "tickwise";
import { play } from "tickwise/sim";`,
  },
  code: {
    broken: `const speed = 0.25;

function frame(deltaTime: number) {
  update(world, deltaTime * speed);
  draw(world);
}`,
    fixed: `const { loop, session } = play(game, {
  inputs,
  render: draw,
  history: { seconds: 10 },
});
timeScale(loop).set(0.25); // slow motion
timeScale(loop).hitStop(0.1); // freeze for a moment
session.rewind(); // until session.endRewind()`,
  },
  alt: "The painted level of the game. A character should leap over a pit along an amber arc. With a scaled deltaTime, its red trail leads into the pit.",
  display: "frames",
  strip: "height of the character",
  links: { docs: "/docs/loop/#hit-stop-and-slow-motion", example: "/examples/arcade/", lab: "/lab/#time" },
};
