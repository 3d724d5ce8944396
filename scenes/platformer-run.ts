import type { InputValues } from "../src/sim/index.js";
import type { PLATFORMER_INPUT } from "./platformer.js";

/** Ticks after which the run repeats. By then, all platforms are back at their start. */
const ROUND = 720;
/** The player first lands at the start. Any input after the exit would move the player away from it. */
const STILL = 24;
const EXIT_AT = 574;
/** The inputs of the run, each for `STRETCH` ticks: 2 runs to the right, 5 also jumps. Found by a search. */
const STRETCH = 6;
const RUN = "02222552225525222222222552252225522552222522222255555222225522222255225522222225222522552522";

/** Plays well: runs through the level without a fall, collects 14 coins, reaches the exit in ten seconds, and repeats. */
export function platformerRun(players: readonly InputValues<typeof PLATFORMER_INPUT>[], tick: number): void {
  const player = players[0]!;
  const at = tick % ROUND;
  const now = at < STILL || at >= EXIT_AT ? "0" : RUN[Math.floor((at - STILL) / STRETCH)]!;
  player.left = false;
  player.right = now !== "0";
  player.jump = now === "5";
  player.stick = 0;
}
