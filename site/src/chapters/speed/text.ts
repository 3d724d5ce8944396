import type { ChapterText } from "../../figure/chapter.js";

export const speed: ChapterText = {
  id: "speed",
  title: "Speed",
  sentence: "If each frame moves the game by the same amount, a faster display runs a faster game.",
  more: [
    "Both runners run the same code. The upper one is drawn 30 times per second, the lower one as often as the slider says. If each frame moves a runner by the same amount, more frames mean more speed: the race is decided by the display.",
    "A fixed step breaks this link. The loop counts the time that has passed and takes 60 steps for each second of it, however many frames the display shows. Now the slider changes how smooth the race looks, and nothing else.",
  ],
  control: { label: "Lower display", min: 15, max: 240, step: 1, initial: 144, unit: "fps" },
  imports: {
    fixed: `import { display, Loop } from "tickwise";
import { scalar, smooth } from "tickwise/blend";`,
  },
  code: {
    broken: `function frame() {
  runner.x += 0.05; // metres per frame
  draw(runner.x);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);`,
    fixed: `const loop = new Loop({
  rate: 60,
  step({ dt }) {
    runner.x += 3 * dt; // metres per second
  },
  render: () => draw(shown.x),
});
const shown = smooth(loop, runner, { x: scalar });
loop.start(display());`,
  },
  alt: "Two runners on parallel tracks. With the broken loop, the runner on the faster display is far ahead.",
  display: "control",
  strip: "position of the lower runner",
  links: { docs: "/docs/which-timestep/", example: "/examples/canvas/", lab: "/lab/#five-loops" },
};
