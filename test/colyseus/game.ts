import { arena, arenaScript } from "../../scenes/arena.js";

/** The game of these tests: four players, 60 steps per second. */
export const GAME = arena;

/** Plays a seat. */
export const playSeat = (player: Parameters<typeof arenaScript>[0][number], tick: number, seat: number) => {
  const all = [0, 1, 2, 3].map(() => ({ x: 0, y: 0, dash: false }));
  arenaScript(all as never, tick);
  Object.assign(player, all[seat]);
};
