import type { InputValues } from "../src/sim/index.js";
import type { PLATFORMER_INPUT } from "./platformer.js";
import { diceAt } from "./scene.js";

/** Ticks after which the script repeats. By then, all platforms are back at their start. */
const ROUND = 2160;
/** The player first stands still, then moves randomly, then follows a route to the exit that was found by trial and error. */
const STILL = 30;
const RANDOM_UNTIL = 630;
/** The inputs of the route, each for `STRETCH` ticks: 0 none, 1 left, 2 right; 3 to 5 the same with jump. */
const STRETCH = 6;
const ROUTE =
  "2255555253115555255555553222255522555155551211511332222532222255552225555522222555522512552222255552" +
  "5555525525522511300000001542222222225512255255044";

/** Falls into pits at random, then finishes the level, and repeats. */
export function platformerScript(
  players: readonly InputValues<typeof PLATFORMER_INPUT>[],
  tick: number,
): void {
  const player = players[0]!;
  const at = tick % ROUND;
  player.left = player.right = player.jump = false;
  player.stick = 0;
  if (at < STILL) return;
  if (at >= RANDOM_UNTIL) {
    const done = Number(ROUTE[Math.floor((at - RANDOM_UNTIL) / STRETCH)] ?? 0);
    player.left = done % 3 === 1;
    player.right = done % 3 === 2;
    player.jump = done >= 3;
    return;
  }
  const direction = diceAt(1, at, 24).float();
  player.left = direction < 0.15;
  player.right = direction > 0.2;
  player.stick = diceAt(2, at, 90).chance(0.2) ? 2 * diceAt(3, at, 10).float() - 0.6 : 0;
  const press = diceAt(4, at, 32);
  const from = press.below(12);
  const length = 2 + press.below(18);
  player.jump = press.chance(0.85) && at % 32 >= from && at % 32 < from + length;
}
