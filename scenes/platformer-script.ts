import type { InputValues } from "../src/sim/index.js";
import type { PLATFORMER_INPUT } from "./platformer.js";
import { diceAt } from "./scene.js";

/** The script begins anew when all platforms are where they began. */
const ROUND = 2160;
/** It stands still at first, then runs about by chance, then goes a way that was found by trial and ends at the exit. */
const STILL = 30;
const BY_CHANCE = 630;
/** What is done on this way, for so many ticks each: still, left, right; and the same while the button is down. */
const STRETCH = 6;
const WAY =
  "2255555253115555255555553222255522555155551211511332222532222255552225555522222555522512552222255552" +
  "5555525525522511300000001542222222225512255255044";

/** Falls into pits by chance, then comes through; and again. */
export function platformerScript(
  players: readonly InputValues<typeof PLATFORMER_INPUT>[],
  tick: number,
): void {
  const player = players[0]!;
  const at = tick % ROUND;
  player.left = player.right = player.jump = false;
  player.stick = 0;
  if (at < STILL) return;
  if (at >= BY_CHANCE) {
    const done = Number(WAY[Math.floor((at - BY_CHANCE) / STRETCH)] ?? 0);
    player.left = done % 3 === 1;
    player.right = done % 3 === 2;
    player.jump = done >= 3;
    return;
  }
  const way = diceAt(1, at, 24).float();
  player.left = way < 0.15;
  player.right = way > 0.2;
  player.stick = diceAt(2, at, 90).chance(0.2) ? 2 * diceAt(3, at, 10).float() - 0.6 : 0;
  const press = diceAt(4, at, 32);
  const from = press.below(12);
  const length = 2 + press.below(18);
  player.jump = press.chance(0.85) && at % 32 >= from && at % 32 < from + length;
}
