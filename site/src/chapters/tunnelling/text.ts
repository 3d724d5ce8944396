import type { ChapterText } from "../../figure/chapter.js";

export const tunnelling: ChapterText = {
  id: "tunnelling",
  title: "Tunnelling",
  sentence: "A bullet that is tested only where it lands can fly through a wall without ever being in it.",
  more: [
    "Each shape shows where a bullet was in a frame; the dot in it is the point that is tested. The bullets fly at 1000 pixels per second, and the wall is 32 pixels thick. At 15 frames per second, a bullet lands every 67 pixels: half of them are on one side of the wall in one frame and on the other side in the next. The others are noticed late, inside the wall.",
    "Fixed steps give the same result on every display, but they do not prevent this: a faster bullet or a thinner wall brings it back. So test the whole path of each step instead of its end. A sweep finds where on its path the bullet enters the wall, and the bullet stops exactly there.",
  ],
  control: { label: "Display", min: 10, max: 120, step: 1, initial: 15, unit: "fps" },
  imports: {
    fixed: `import { display, Loop, type StepInfo } from "tickwise";
import { scalar, smooth } from "tickwise/blend";`,
  },
  code: {
    broken: `function frame(deltaTime: number) {
  bullet.x += bullet.speed * deltaTime;
  if (bullet.x >= wall.min && bullet.x <= wall.max) hit(bullet);
  draw(bullet.x);
}`,
    fixed: `function step({ dt }: StepInfo) {
  const to = bullet.x + bullet.speed * dt;
  const isHit = bullet.x < wall.min && to >= wall.min; // anywhere on the way
  bullet.x = isHit ? wall.min : to;
  if (isHit) hit(bullet);
}
const loop = new Loop({ rate: 60, step, render: () => draw(shown.x) });
const shown = smooth(loop, bullet, { x: scalar });
loop.start(display());`,
  },
  alt: "Three bullets fly at a wall. Their exposures are far apart: with the broken loop, some bullets are on both sides of the wall and never in it. With the sweep, all of them stop at the wall.",
  display: "control",
  strip: "position of the upper bullet",
  links: { docs: "/docs/collisions/", example: "/examples/planck/", lab: "/lab/#five-loops" },
};
