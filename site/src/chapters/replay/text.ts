import type { ChapterText } from "../../figure/chapter.js";

export const replay: ChapterText = {
  id: "replay",
  title: "Replay",
  sentence:
    "A replay of keys with their time falls into the pit; a replay of keys with their tick is the same game, to the bit.",
  more: [
    "All three displays play one recording. The amber outline shows where the character was in the recorded game. By time, a key reaches an earlier or later step than it did there: a few milliseconds, a few pixels, a missed platform. Even a display with the same frame rate misses, because its frames begin at different moments.",
    "By tick, no clock is involved. Step 1,207 gets the keys of step 1,207, on a display with 15 frames per second or with 240. In every frame, this figure compares the hash of the whole state with the recorded one: <em>same bits</em> means that no bit differs. The recording takes half a byte per step, so it fits into a bug report.",
  ],
  sides: { broken: "By time", fixed: "By tick" },
  control: { label: "First display", min: 10, max: 144, step: 1, initial: 15, unit: "fps" },
  imports: {
    fixed: `import { playReplay, record } from "tickwise/replay";
import { play } from "tickwise/sim";`,
  },
  code: {
    broken: `const keys: { at: number; code: string }[] = [];
const start = performance.now();
addEventListener("keydown", ({ code }) => {
  keys.push({ at: performance.now() - start, code });
});`,
    fixed: `const { session } = play(game, { inputs, render: draw });
const recorder = record(session);

// Later, on any display:
const file = await recorder.save();
playReplay(game, file, { render: draw });`,
  },
  alt: "The same recording of a platform game on three displays. By time, the character has fallen into a pit on two of them, far from its amber outline; by tick, all three pictures are equal.",
  display: "control",
  strip: "height of the character on the first display",
  links: { docs: "/docs/replay/", example: "/examples/arcade/", lab: "/lab/#game" },
};
