import type { ChapterText } from "../../figure/chapter.js";

export const rates: ChapterText = {
  id: "rates",
  title: "Several rates",
  sentence: "Separate timers for physics, network and AI drift apart; a single loop keeps all three in time.",
  more: [
    "Physics runs 60 times per second, the network sends 30 times, and the AI thinks 4 times. The amber lines show where all three must meet. Timers wait for whole milliseconds and fire late, and all these delays add up. So the three drift away from the clock and from each other: some packets repeat a state, some skip one, and no two machines agree on the step in which the AI thinks.",
    "A beat belongs to the loop. Beat <i>k</i> of 30 per second runs just before the first step that is not earlier than <i>k</i> / 30 seconds, computed exactly. A late frame delays only its own notes.",
  ],
  sides: { broken: "Timers", fixed: "Beats" },
  control: { label: "Callbacks are late by up to", min: 0, max: 10, step: 0.5, initial: 4, unit: "ms" },
  imports: {
    fixed: `import { display, every, Loop } from "tickwise";`,
  },
  code: {
    broken: `function every(hertz: number, run: () => void) {
  run();
  setTimeout(() => every(hertz, run), 1000 / hertz);
}
every(60, stepPhysics);
every(30, sendState);
every(4, think);`,
    fixed: `const loop = new Loop({
  rate: 60,
  step: stepPhysics,
});
every(loop, 30, sendState);
every(loop, 4, think);
loop.start(display());`,
  },
  alt: "A score with three lines: physics, network and AI. With timers, notes that belong together lie far apart; with beats, they stand exactly above each other.",
  strip: "how far physics is ahead of the clock",
  links: { docs: "/docs/loop/#several-rates", lab: "/lab/#five-loops" },
};
