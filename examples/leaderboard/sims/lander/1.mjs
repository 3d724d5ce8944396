// Version 1 of the lander, as the workers run it. Never change a published version: add another file.
export { game as default } from "../../../replays/game.mjs";

/** Reads the score from the final state. @param {{ landings: number }} world @param {{ tick: number }} context */
export const readResult = (world, { tick }) => ({ landings: world.landings, seconds: tick / 30 });
