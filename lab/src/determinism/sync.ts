import { syncTest, type SyncResult } from "../../../src/sim/index.js";
import { Display } from "../display.js";
import { sceneOf, type DrawableScene } from "../scenes/drawable.js";
import { plant, type Frame } from "./faults.js";
import { displayOf, type DeterminismSettings } from "./settings.js";

/** Test sizes per scene, small enough not to block the page for long. */
const TESTS: Readonly<Record<DrawableScene, { readonly ticks: number; readonly back: number }>> = {
  platformer: { ticks: 600, back: 8 },
  orbit: { ticks: 600, back: 8 },
  tumble: { ticks: 120, back: 4 },
  balls: { ticks: 40, back: 2 },
};

/** The call, as shown to the visitor. */
export function callOf(scene: DrawableScene): string {
  const { ticks, back } = TESTS[scene];
  return `syncTest(${scene}, { ticks: ${ticks}, back: ${back}, inputs: script })`;
}

/** Runs `syncTest` on the scene with its planted fault, with the frames of the first display. */
export function testScene({ scene, fault, left }: DeterminismSettings): SyncResult {
  const display = new Display(displayOf(left, 1));
  const frame: Frame = { seconds: 0, time: 0 };
  return syncTest(plant(scene, fault, frame), {
    ...TESTS[scene],
    inputs(players, { tick }) {
      // One frame per tick. Resimulated steps see this frame too.
      frame.time += frame.seconds;
      frame.seconds = display.next();
      sceneOf(scene).script(players, tick);
    },
  });
}
