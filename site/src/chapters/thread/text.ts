import type { ChapterText } from "../../figure/chapter.js";

export const thread: ChapterText = {
  id: "thread",
  title: "Thread",
  sentence:
    "One heavy step holds up everything that shares its thread: move the simulation to a worker, and every frame is on time.",
  more: [
    "Every 15th step is heavy: it plans paths, builds a mesh, or thinks ahead. On one thread, the page can neither draw nor take keys until it is done, and the disc jerks four times per second. The bars show what each thread does; the thin lines are the refreshes of the display.",
    'In a worker, the same step holds up nothing. The page draws a blend of the states that have arrived, a little late: just late enough that the next state is almost always there. This delay is the price. It adapts to the heaviest steps; to hide it for your own character, <a href="/docs/threads/#input">speculate</a>. This figure runs the real loop and the real worker session on simulated clocks, so it is the same on every machine; the <a href="/lab/#thread">lab</a> uses real threads.',
  ],
  sides: { broken: "One thread", fixed: "Two threads" },
  control: { label: "Heavy step", min: 2, max: 60, step: 1, initial: 40, unit: "ms" },
  imports: {
    broken: `import { drive, localSession, simulation } from "tickwise/sim";`,
    fixed: `import { drive } from "tickwise/sim";
import { serveSimulation, workerSession } from "tickwise/worker";`,
  },
  code: {
    broken: `const game = simulation({
  name: "swing", version: 1, rate: 60, state,
  step: swing, // every 15th call takes 40 ms
});
const session = localSession(game, { seed: 7 });
drive(session, { render: draw });`,
    fixed: `// game.worker.ts
serveSimulation(game);

// main.ts
const url = new URL("./game.worker.ts", import.meta.url);
const worker = new Worker(url, { type: "module" });
const session = workerSession(game, worker, { seed: 7 });
drive(session, { render: draw });`,
  },
  alt: "A disc that moves from side to side, above the work of the threads as bars. On one thread, a long red bar covers several refreshes, and the outlines of the last frames have gaps; on two threads, they are evenly spaced.",
  display: "own",
  strip: "position",
  links: { docs: "/docs/threads/", example: "/examples/thread/", lab: "/lab/#thread" },
};
