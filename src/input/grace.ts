/**
 * For how many ticks something still counts, this one included: `ticks` while it is so, one less in each tick after, at
 * last 0. What it returns is yours to keep in the state, where a rollback finds it.
 *
 *     player.buffer = grace(player.buffer, input.pressed.jump, 6); // pressed in one of the last 6 ticks
 *     player.coyote = grace(player.coyote, player.grounded, 6); // on ground in one of the last 6 ticks
 */
export function grace(left: number, isNow: boolean, ticks: number): number {
  return isNow ? ticks : left > 0 ? left - 1 : 0;
}
