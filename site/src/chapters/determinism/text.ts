import type { ChapterText } from "../../figure/chapter.js";

export const determinism: ChapterText = {
  id: "determinism",
  title: "Determinism",
  sentence:
    "One call of <code>Math.random</code>, and two machines that play the same game see two different ones.",
  more: [
    "Both machines start with the same five pucks and take the same steps; blue and red are drawn on top of each other. The cushions are rough: each bounce turns a puck a little, at random. <code>Math.random</code> gives each machine other numbers. The first bounce changes one bit of the state, the hash below tells in that same step, and a few collisions later nothing is where the other machine has it.",
    "Keep the random generator in the state. Then it starts with the same seed, advances with the steps, and goes back with them, too: in a replay, a rewind or a rollback. The same holds for everything else that a step reads: the clock, counters outside of the state, the order of a <code>Map</code>. <code>syncTest</code> finds what you forgot.",
  ],
  sides: { broken: "Math.random", fixed: "random of the state" },
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
  alt: "Five pucks on a table, each drawn twice: blue as the first machine has it, red as the second one has it. With Math.random the ghosts drift apart, and the hashes below turn red.",
  strip: "position of the first puck",
  links: { docs: "/docs/determinism/", lab: "/lab/#determinism" },
};
