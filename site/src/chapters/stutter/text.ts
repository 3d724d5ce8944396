import type { ChapterText } from "../../figure/chapter.js";

export const stutter: ChapterText = {
  id: "stutter",
  title: "Stutter",
  sentence: "Steps and frames do not line up, so a picture of the newest state moves in jerks.",
  more: [
    "The simulation takes 25 steps per second, and the display shows 60 frames. Some frames get a new state, most repeat the old one, and the eye sees each repeat as a jerk.",
    "Keep the last two states and draw a blend between them. The picture is then one step behind, and moves by the same amount in every frame.",
  ],
  sides: { broken: "Newest", fixed: "Blended" },
  control: { label: "Steps", min: 10, max: 120, step: 1, initial: 25, unit: "per second" },
  imports: {
    broken: `import { display, Loop } from "tickwise";`,
    fixed: `import { display, Loop } from "tickwise";
import { scalar, smooth } from "tickwise/blend";`,
  },
  code: {
    broken: `const loop = new Loop({
  rate: 25,
  step({ time, dt }) {
    disc.x = swing(time + dt);
  },
  render: () => draw(disc.x),
});
loop.start(display());`,
    fixed: `const loop = new Loop({
  rate: 25,
  step({ time, dt }) {
    disc.x = swing(time + dt);
  },
  render: () => draw(shown.x),
});
const shown = smooth(loop, disc, { x: scalar });
loop.start(display());`,
  },
  alt: "A large disc that moves from side to side, above a dot for each of the last frames. With the newest state, two or three dots lie on each other, with gaps between them; blended, they are evenly spaced.",
  display: "frames",
  strip: "position",
  links: { docs: "/docs/drawing/", example: "/examples/canvas/", lab: "/lab/#smooth" },
};
