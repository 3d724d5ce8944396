/**
 * Test helpers: a loop and a driver with manual time, a simulated network, and assertions for determinism, replays and netplay.
 *
 * @packageDocumentation
 */

export { expectDeterministic } from "./expect-deterministic.js";
export {
  expectNetplay,
  type NetplayOptions,
  type NetplayRequest,
  type NetplayResult,
} from "./expect-netplay.js";
export { expectReplay } from "./expect-replay.js";
export { manualDisplay, manualDriver, type ManualDisplay, type ManualDriver } from "./manual-driver.js";
export { manualLoop } from "./manual-loop.js";
export type { ManualTime } from "./manual-time.js";
export type { ConditionedLink, Conditions, NetworkProfile } from "../net/index.js";
export {
  simulatedNetwork,
  type SimulatedNetwork,
  type SimulatedNetworkOptions,
  type SimulatedPeer,
  type SimulatedPeerOptions,
} from "../net/simulated.js";
