/**
 * Test helpers: a loop and a driver with manual time, and assertions for determinism and replays.
 *
 * @packageDocumentation
 */

export { expectDeterministic } from "./expect-deterministic.js";
export { expectReplay } from "./expect-replay.js";
export { manualDriver, type ManualDriver } from "./manual-driver.js";
export { manualLoop } from "./manual-loop.js";
