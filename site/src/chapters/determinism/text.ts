import type { ChapterText } from "../../figure/chapter.js";

export const determinism: ChapterText = {
  id: "determinism",
  title: "Determinism",
  sentence:
    "After one call to <code>Math.random</code>, two machines with the same inputs no longer play the same game.",
  more: [
    "Both machines start with the same five pucks and take the same steps. Blue shows the first machine, red the second. The cushions are rough: each bounce turns a puck a little, at random, and <code>Math.random</code> returns different numbers on each machine. From the first bounce on, the hashes below differ. A few collisions later, every puck is somewhere else.",
    "Keep the random generator in the state. Then it starts from the same seed, advances with the steps, and goes back with them in a replay, a rewind or a rollback. The same rule applies to everything else that a step reads: the clock, counters outside the state, the order of a <code>Map</code>. <code>syncTest</code> finds what you forgot.",
  ],
  sides: { broken: "Math.random", fixed: "random in the state" },
  control: { label: "Roughness", min: 0, max: 100, step: 1, initial: 20, unit: "%" },
  imports: {
    broken: `import { simulation } from "tickwise/sim";`,
    fixed: `import { simulation } from "tickwise/sim";`,
  },
  code: {
    broken: `const game = simulation({
  name: "pucks", version: 1, rate: 60,
  state: Table,
  step({ pucks: { x, vx } }, _, { dt }) {
    for (let i = 0; i < x.length; i++)
      if (moveAndBounce(x, vx, i, dt)) // at a rough cushion
        vx[i]! += Math.random() - 0.5;
  },
});`,
    fixed: `const game = simulation({
  name: "pucks", version: 1, rate: 60,
  state: Table,
  step({ pucks: { x, vx } }, _, { dt, random }) {
    for (let i = 0; i < x.length; i++)
      if (moveAndBounce(x, vx, i, dt)) // at a rough cushion
        vx[i]! += random.float() - 0.5;
  },
});`,
  },
  alt: "Five pucks on a table, each drawn twice: blue for the first machine, red for the second. With Math.random the ghosts drift apart, and the hashes below turn red.",
  strip: "position of the first puck",
  links: { docs: "/docs/determinism/", lab: "/lab/#determinism" },
};
