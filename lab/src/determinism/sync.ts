import { syncTest, type SyncResult } from "../../../src/sim/index.js";
import { Display } from "../display.js";
import { sceneOf, type Drawn } from "../scenes/drawn.js";
import { plant, type Frame } from "./faults.js";
import { displayOf, type DeterminismSettings } from "./settings.js";

/** How much of each scene is tested: a page must not stand still for long. */
const TESTS: Readonly<Record<Drawn, { readonly ticks: number; readonly back: number }>> = {
  platformer: { ticks: 600, back: 8 },
  orbit: { ticks: 600, back: 8 },
  tumble: { ticks: 120, back: 4 },
  balls: { ticks: 40, back: 2 },
};

/** What is called, as it is written in code. */
export function callOf(scene: Drawn): string {
  const { ticks, back } = TESTS[scene];
  return `syncTest(${scene}, { ticks: ${ticks}, back: ${back}, inputs: script })`;
}

/** Tests the scene with its planted fault; frames are those of the first display. */
export function testScene({ scene, fault, left }: DeterminismSettings): SyncResult {
  const display = new Display(displayOf(left, 1));
  const frame: Frame = { seconds: 0, time: 0 };
  return syncTest(plant(scene, fault, frame), {
    ...TESTS[scene],
    inputs(players, { tick }) {
      // A frame a tick: whatever is simulated again, the frame is this one.
      frame.time += frame.seconds;
      frame.seconds = display.next();
      sceneOf(scene).script(players, tick);
    },
  });
}
