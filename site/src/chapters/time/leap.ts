import { simulation, type InputValues } from "../../../../src/sim/index.js";
import { HALF_HEIGHT } from "../../../../scenes/character.js";
import { TILE } from "../../../../scenes/level.js";
import { platformer, type PLATFORMER_INPUT } from "../../../../scenes/platformer.js";

export const RATE = 60;
/** Where the character begins, and the height of its center on that ground. */
const START = 176;
export const GROUND = 13 * TILE - HALF_HEIGHT;
/** Seconds of game time. The jump comes four steps after the edge: late, and within the five steps that the game forgives. */
export const LEAP = { from: 0.43, to: 0.68, end: 1.3 } as const;

/** The time of a step and its length. Only the broken version uses it. */
export interface Clock {
  time: number;
  dt: number;
}

/** The level of the game, with the character on its way to a pit. With a clock, steps are as long as that says. */
export const leap = (clock?: Clock) =>
  simulation({
    ...platformer.options,
    init(world, context) {
      platformer.options.init!(world, context);
      const { player } = world;
      player.x = START;
      player.y = GROUND;
      player.vx = 150;
      player.grounded = true;
    },
    step(world, inputs, context) {
      if (!clock) return platformer.options.step(world, inputs, context);
      const { time, dt } = clock;
      platformer.options.step(world, inputs, { ...context, dt, time, tick: dt === 0 ? 0 : time / dt });
    },
  });

/** Runs to the right, and jumps at its time. */
export function play(players: readonly InputValues<typeof PLATFORMER_INPUT>[], time: number): void {
  const player = players[0]!;
  player.left = false;
  player.right = true;
  // A millionth: times are sums.
  player.jump = time >= LEAP.from - 1e-6 && time < LEAP.to;
}
