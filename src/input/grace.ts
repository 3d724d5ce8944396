import { requireArguments } from "../errors/index.js";

/**
 * Counts down a grace period: returns `ticks` while `isActive`, then one less in each tick, down to 0. Store the result
 * in the state, so that a rollback restores it.
 *
 *     player.buffer = grace(player.buffer, input.pressed.jump, 6); // pressed in one of the last 6 ticks
 *     player.coyote = grace(player.coyote, player.grounded, 6); // on the ground in one of the last 6 ticks
 */
export function grace(remaining: number, isActive: boolean, ticks: number): number {
  requireArguments("grace", arguments.length, 3);
  return isActive ? ticks : remaining > 0 ? remaining - 1 : 0;
}
