import { button, int, simulation, type InputValues } from "../src/sim/index.js";
import {
  bool,
  f64,
  layout,
  list,
  namesOf,
  oneOf,
  skipBlend,
  u16,
  u32,
  u8,
  type World,
} from "../src/state/index.js";
import { END, isInWall, meetsWall, SPEED } from "./bullet-wall.js";
import { diceAt } from "./scene.js";

export { END, isInWall, meetsWall, SPEED, WALL, WALL_WIDTH } from "./bullet-wall.js";

/** Ticks between two volleys. */
const PAUSE = 20;

/** Ticks per frame of the slow loops: 60, 30, 20 and 15 frames per second. */
export const FRAME_TICKS = [1, 2, 3, 4] as const;

/** How a lane moves its bullet: one variable step per frame; fixed steps; or one step per frame with a swept collision test. */
export const Lane = oneOf("variable", "fixed", "swept");
const LANES = namesOf(Lane).length;

const Range = layout({
  lanes: list(LANES, {
    x: f64.lerp,
    flying: bool,
    /** Bullets that hit the wall, and bullets that passed through it. */
    hits: u32,
    misses: u32,
  }),
  /** Where the bullets of this volley started. */
  muzzle: f64,
  /** Ticks since the last frame; ticks until the next volley. */
  waited: u8,
  pause: u16,
  volleys: u32,
});
type RangeWorld = World<(typeof Range)["fields"]>;

const INPUT = { fire: button, slowness: int(0, FRAME_TICKS.length - 1) };

/** Bullets and a thin wall in three lanes. A bullet that moves too far between two collision tests passes through the wall. */
export const bullet = simulation({
  name: "bullet",
  version: 1,
  rate: 60,
  state: Range,
  input: INPUT,
  effects: { hit: { lane: u8, x: f64 }, miss: { lane: u8 } },
  init(world) {
    world.pause = PAUSE;
  },
  step(world, [player], { dt, random, emit }) {
    const { x, flying } = world.lanes;
    const isOver = flying[0]! + flying[1]! + flying[2]! === 0;
    if (isOver) {
      if (world.pause > 0) world.pause -= 1;
      if (world.pause === 0 || player.pressed.fire) fire(world, random.float());
      return;
    }
    world.waited += 1;
    const frame = FRAME_TICKS[player.slowness]!;
    const isFrame = world.waited >= frame;
    // A lane that steps per frame moves the whole distance at once.
    const frameDistance = SPEED * dt * world.waited;
    if (isFrame) world.waited = 0;
    for (let lane = 0; lane < LANES; lane++) {
      if (flying[lane] === 0 || (lane !== Lane.fixed && !isFrame)) continue;
      const from = x[lane]!;
      const to = from + (lane === Lane.fixed ? SPEED * dt : frameDistance);
      const met = lane === Lane.swept ? meetsWall(from, to) : isInWall(to) ? to : -1;
      x[lane] = met >= 0 ? met : to;
      if (met >= 0) {
        world.lanes.hits[lane]! += 1;
        emit("hit", { lane, x: met });
      } else if (to > END) {
        world.lanes.misses[lane]! += 1;
        emit("miss", { lane });
      } else continue;
      flying[lane] = 0;
    }
  },
});

/** Fires a bullet in each lane from the same random position, which decides whether a long step hits the wall. */
function fire(world: RangeWorld, part: number): void {
  world.muzzle = part * SPEED * (FRAME_TICKS[3] / 60);
  world.lanes.x.fill(world.muzzle);
  world.lanes.flying.fill(1);
  world.waited = 0;
  world.pause = PAUSE;
  world.volleys += 1;
  skipBlend(world.lanes);
}

/** Fires often, mostly in a slow loop. */
export function bulletScript(players: readonly InputValues<typeof INPUT>[], tick: number): void {
  const player = players[0]!;
  player.slowness = Math.min(3, diceAt(1, tick, 300).below(8));
  player.fire = diceAt(2, tick, 15).chance(0.3);
}
