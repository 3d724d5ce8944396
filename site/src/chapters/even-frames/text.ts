import type { ChapterText } from "../../figure/chapter.js";

export const evenFrames: ChapterText = {
  id: "even-frames",
  title: "60 on 60",
  sentence:
    "60 steps per second on a 60 Hz display should be one step per frame. A browser’s clock makes it 1-1-2-0-1; counting refreshes makes it one.",
  more: [
    "In slow motion: a display refreshes exactly 60 times per second, and a loop takes exactly 60 steps per second. But the loop reads <code>performance.now()</code>, and its callback runs a little late, by a different amount in each frame. If it is less late than the one before, no step is due yet, and the picture stands still. If it is later, two steps are due, and the picture jumps. The slider sets how late a typical callback is. Even without a delay, the clock is rounded.",
    "Refreshes are evenly spaced; only the clock is not. So <code>display()</code> works out from the timestamps when the display refreshes, and counts whole refreshes instead of milliseconds. That gives one step in every frame.",
  ],
  control: { label: "Callback delay", min: 0, max: 4, step: 0.1, initial: 1, unit: "ms" },
  imports: {
    fixed: `import { display, Loop } from "tickwise";`,
  },
  code: {
    broken: `let [last, owed] = [performance.now(), 0];
function frame() {
  const now = performance.now();
  owed += now - last;
  last = now;
  for (; owed >= 1000 / 60; owed -= 1000 / 60) step();
  draw();
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);`,
    fixed: `const loop = new Loop({
  rate: 60,
  step,
  render: draw,
});
loop.start(display()); // counts refreshes`,
  },
  alt: "Above, a comb with a tooth for each place at which the picture was shown; below, the steps in each frame. With performance.now(), teeth are missing or doubled, and frames take 0, 1 or 2 steps. With the display clock, all teeth are there, and each frame takes one step.",
  display: "control",
  strip: "position",
  links: { docs: "/docs/smoothness/", example: "/examples/canvas/", lab: "/lab/#smooth" },
};
