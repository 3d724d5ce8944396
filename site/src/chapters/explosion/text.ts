import type { ChapterText } from "../../figure/chapter.js";

export const explosion: ChapterText = {
  id: "explosion",
  title: "Explosion",
  sentence: "If each step is as long as its frame, a stiff spring explodes on a slow display.",
  more: [
    "Drag the block and let it go. Each step computes the pull of the spring once and applies it for the whole step. If the step is too long, the block overshoots by more than it was pulled, and the next pull is larger. After a dozen such steps it has left the screen. The stiffer the spring, the shorter the steps it needs.",
    "The map shows four integrators on six displays: red explodes, green is stable. Pick a cell to play it, with the pointer or the arrow keys. With one step per frame, every row turns red on the left: the game works on your machine and breaks on someone else’s. RK4 only moves the border.",
    "With a fixed rate, each row has a single colour, because the display no longer matters. <code>stableRate</code> computes the rate that your stiffest spring needs; stay well above it. Explicit Euler gains energy even then.",
  ],
  control: { label: "Stiffness", min: 500, max: 15_000, step: 100, initial: 3000, unit: "N/m" },
  imports: {
    broken: `import { semiImplicitEuler } from "tickwise/integrate";`,
    fixed: `import { display, Loop } from "tickwise";
import { scalar, smooth } from "tickwise/blend";
import { semiImplicitEuler, stableRate } from "tickwise/integrate";`,
  },
  code: {
    broken: `const pull = (x: number, v: number) => -3000 * x - 10.5 * v;

function frame(deltaTime: number) {
  semiImplicitEuler(block, pull, 0, deltaTime);
  draw(block.position);
}`,
    fixed: `const pull = (x: number, v: number) => -3000 * x - 10.5 * v;
stableRate("semiImplicitEuler", { stiffness: 3000, damping: 10.5 }); // 30.1
const loop = new Loop({
  rate: 240, // well above it, on every display
  step: ({ time, dt }) => semiImplicitEuler(block, pull, time, dt),
  render: () => draw(shown.position),
});
const shown = smooth(loop, block, { position: scalar });
loop.start(display());`,
  },
  alt: "A block on a spring, and a map of four integrators and six frame rates. With one step per frame, the block swings ever wider until it bursts, and the map is red at low frame rates.",
  keys: "The arrow keys pick a cell of the map.",
  display: "own",
  strip: "position of the block",
  links: { docs: "/docs/integrators/", example: "/examples/rapier/", lab: "/lab/#five-loops" },
};
