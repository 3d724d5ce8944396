import type { ChapterText } from "../../figure/chapter.js";

export const lostInput: ChapterText = {
  id: "lost-input",
  title: "Lost input",
  sentence:
    "A game that checks the button once per step misses every tap between two steps; a latch keeps it for the next step.",
  more: [
    "Tap the picture fast, or press Space. The game takes 10 steps per second, and a tap is over in a twentieth of a second. If each step only checks whether the button is down, half of the taps begin and end between two steps, and the game never knows.",
    "A latch remembers each press until a step has seen it. Exactly one step sees each press, however short it was, and however many steps a frame takes. Taps that come faster than the steps wait their turn.",
  ],
  control: { label: "Steps", min: 10, max: 60, step: 1, initial: 10, unit: "per second" },
  imports: {
    broken: `import { play } from "tickwise/sim";`,
    fixed: `import { bindInputs, inputLatch, keyboard, pointer } from "tickwise/input";
import { play } from "tickwise/sim";`,
  },
  code: {
    broken: `let isDown = false;
onpointerdown = () => (isDown = true);
onpointerup = () => (isDown = false);

play(game, {
  inputs([player]) {
    player.fire = isDown;
  },
});`,
    fixed: `const latch = inputLatch(game.packing);
bindInputs(
  latch,
  { fire: ["pointer left", "Space"] },
  [pointer(), keyboard()],
);

play(game, { inputs: latch });`,
  },
  alt: "Taps fall onto a comb, which has a tooth for each step. Those that meet a tooth are counted; the others fall through it and are lost. With the latch, each tap slides to the next tooth.",
  keys: "Space taps.",
  display: "frames",
  strip: "the button, down or up",
  links: { docs: "/docs/input/", example: "/examples/arcade/", lab: "/lab/#game" },
};
