import type { ChapterText } from "../../figure/chapter.js";

export const latency: ChapterText = {
  id: "latency",
  title: "Latency",
  sentence:
    "A blend shows the past: what you drag trails your pointer by a whole step, unless each frame simulates a step ahead.",
  more: [
    "Drag the discs. All four show the same game, which takes 10 steps per second. The newest state moves in jerks, once per step. The blend moves evenly, and is always one step late.",
    "Extrapolation draws where the disc will be if it keeps its speed. It is on time until the motion changes: then it enters the wall and comes back. Speculation takes a real step with the newest input in each frame, draws a blend towards it, and throws the step away. It knows the wall, because your own code ran.",
  ],
  sides: { broken: "Blended", fixed: "Speculated" },
  control: { label: "Steps", min: 5, max: 60, step: 1, initial: 10, unit: "per second" },
  imports: {
    broken: `import { axis, play, simulation } from "tickwise/sim";
import { f64, layout } from "tickwise/state";`,
    fixed: `import { axis, play, simulation } from "tickwise/sim";
import { f64, layout } from "tickwise/state";`,
  },
  code: {
    broken: `const game = simulation({
  name: "drag", version: 1, rate: 10,
  state: layout({ x: f64.lerp }),
  input: { x: axis(16) },
  step(world, [player]) {
    world.x = Math.min(player.x, WALL);
  },
});
play(game, { inputs: mouse, render: draw });`,
    fixed: `const game = simulation({
  name: "drag", version: 1, rate: 10,
  state: layout({ x: f64.lerp }),
  input: { x: axis(16) },
  step(world, [player]) {
    world.x = Math.min(player.x, WALL);
  },
});
play(game, { inputs: mouse, render: draw, present: "speculate" });`,
  },
  alt: "Four discs follow a pointer: the newest state, a blend, an extrapolation and a speculation. The blend trails far behind, the extrapolation goes into a wall, the speculation stays close.",
  display: "frames",
  strip: "position",
  links: { docs: "/docs/simulation/#speculate", example: "/examples/canvas/", lab: "/lab/#smooth" },
};
