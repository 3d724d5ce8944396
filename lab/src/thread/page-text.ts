import type { MemoryMode } from "../../../src/worker/index.js";

/** The page's own texts. */
export const PAGE_TEXT = {
  title: "Thread",
  lesson: "A step that costs too much drops frames on one thread, and none on two.",
  about: [
    "The same pile twice, with 60 steps per second. On the left, one thread simulates and draws: a frame takes as long as its steps. On the right, a worker simulates, and the page draws a blend of the states that have arrived. Raise the cost of a step, and watch the left side. The cost is real: each step keeps its thread busy for that long. The left side runs on a thread of its own, too, so that it does not slow the right one.",
  ],
  presets: [
    ["a light step", { cost: 2 }],
    ["half of the time", { cost: 8 }],
    ["nearly all of it", { cost: 14 }],
    ["more than there is", { cost: 22 }],
    ["without shared memory", { memory: "transferred" }],
  ],
  terms: {
    "Frames/s, late frames":
      "Pictures that were drawn in the last second, and the share of the last 240 that took at least 1.5 refreshes of the display, while the picture stood still. ✓ means less than 10 %: other programs cause some, too.",
    "Longest frame": "Of the last 60.",
    "Game speed":
      "Steps in the last second, compared with the 60 that there should be. Above 16.7 ms per step, neither side can keep up. The left one takes up to two steps per frame to do so, and its frames get longer; the right one draws as often as before.",
    "Delay D":
      "The right picture shows the game as it was that long ago. It is the smallest delay at which the next state had arrived in 99.9 % of the cases. It changes by at most 10 ms per second, so that the picture never jumps.",
    "Called for": "The delay that the last states call for. D moves towards it.",
    Starved:
      "Frames for which the next state did not arrive in time. They show the newest one, and the picture stands still.",
    Histogram:
      "For each of the last states, up to 2,048: how long after its step was due it could be drawn. That is what the step cost, and how late it began. The heights are square roots, so that rare states are visible.",
  },
} as const;

/** The threads of this page that are busy: one that simulates and draws, the worker, and the page itself. */
const BUSY_THREADS = 3;

/** Says which memory is in use, and why; and if there are too few cores for a fair comparison. */
export function describeMemory(memory: MemoryMode, reason: string, cores: number): string {
  const text =
    memory === "shared"
      ? `Memory: shared, as ${reason}. Both threads read the same states, and the page blends them without a copy.`
      : `Memory: transferred, as ${reason}. Each state is a buffer that moves to the page, and waits while the page draws.`;
  return cores >= BUSY_THREADS
    ? text
    : `${text} This machine has ${cores === 1 ? "one core" : `${cores} cores`} for three busy threads, so the two sides disturb each other.`;
}
