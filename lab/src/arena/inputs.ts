import { isThinking, playBot, type ARENA_INPUT } from "../../../scenes/arena.js";
import type { ViewOf } from "../../../scenes/index.js";
import type { InputValues } from "../../../src/sim/index.js";

export type ArenaInputs = InputValues<typeof ARENA_INPUT>;

/** Writes a player's inputs, and returns true; or returns false to leave the seat to a bot. */
export type PlaySeat = (seat: number, player: ArenaInputs) => boolean;

/** Plays a seat like a person who sees this world: thinks now and then, and keeps the direction in between. */
export function playLikeAPerson(
  player: ArenaInputs,
  seat: number,
  tick: number,
  world: ViewOf<"arena">,
): void {
  if (isThinking(seat, tick)) playBot(player, seat, tick, world);
  else player.dash = false;
}
