import type { ChapterText } from "../../figure/chapter.js";

export const spiral: ChapterText = {
  id: "spiral",
  title: "Spiral of death",
  sentence: "If a step takes longer than the time it simulates, each frame owes more steps than the last.",
  more: [
    "Each bar is a frame, as long as the work of its steps. A step simulates 20 ms and takes 32 ms on this machine. So the first frame is late, the next one owes two steps, then three, then five: soon a single frame takes seconds, and the ball stands still. The tank holds the time that the game owes.",
    "No loop can make this machine faster, but it can choose what suffers. With a limit per frame, the loop drops the time that it cannot simulate, and reports it. The game runs in slow motion, but stays playable. By default, a frame simulates at most a quarter of a second. <code>stepBudget</code> measures the steps and keeps the frame rate up.",
    "Move the slider to 16 ms, and both sides are the same: a limit costs nothing while a step fits into a refresh. From 17 to 20 ms it does cost something: without a limit, the game runs at full speed with 10 frames per second; with this limit, it runs at 60 % speed with 30.",
  ],
  sides: { broken: "No limit", fixed: "Limited" },
  control: { label: "A step takes", min: 2, max: 60, step: 1, initial: 32, unit: "ms" },
  imports: {
    fixed: `import { display, Loop, onOverload, stepBudget } from "tickwise";`,
  },
  code: {
    broken: `let owed = 0;
function frame(deltaTime: number) {
  owed += deltaTime;
  while (owed >= dt) {
    step(dt); // takes longer than dt
    owed -= dt;
  }
  draw();
}`,
    fixed: `const loop = new Loop({
  rate: 50,
  step: ({ dt }) => step(dt),
  render: () => draw(),
});
stepBudget(loop, 0.012); // seconds per frame
onOverload(loop, ({ lost }) => console.warn("dropped", lost));
loop.start(display());`,
  },
  alt: "Frames as bars as long as their work, a tank with the time that the game owes, and a ball. Without a limit, each bar is longer than the last until they leave the picture, the tank overflows, and the ball is frozen. With a limit, all bars are short and the ball moves.",
  display: "own",
  strip: "position of the ball",
  links: { docs: "/docs/loop/#overload", lab: "/lab/#spiral" },
};
