// How many bullets pass through a wall, depending on how a game steps.
import { isInWall, meetsWall, SPEED, WALL, WALL_WIDTH } from "./bullet.js";
import { playFrames, type Frames } from "./at-frame-rate.js";

const BULLETS = 2000;
/** Bullets start this many pixels apart in all: a whole number of frames at every frame rate at which any passes. */
const SPREAD = 200;

export interface TunnellingOptions extends Omit<Frames, "seconds"> {
  /** Whether the collision test covers the whole path of a step. */
  readonly isSwept?: boolean;
}

export interface Tunnelling {
  /** The share of bullets that passed through the wall. */
  readonly missed: number;
  /** How deep in the wall a hit is noticed, in pixels, at most. */
  readonly depth: number;
}

/** Fires bullets of 1000 pixels per second at a wall of 32 pixels, from evenly spread positions. */
export function tunnelling({ isSwept = false, ...frames }: TunnellingOptions): Tunnelling {
  // With a hitch per second, what matters is when it comes: spread bullets over a second.
  const spread = frames.hitch ? SPEED : SPREAD;
  const x = Float64Array.from({ length: BULLETS }, (_, i) => WALL - SPEED - ((i + 0.5) / BULLETS) * spread);
  const met = new Float64Array(BULLETS).fill(NaN);
  playFrames({ ...frames, seconds: 3 }, (dt) => {
    for (let i = 0; i < BULLETS; i++) {
      if (met[i]! >= 0) continue;
      const from = x[i]!;
      const to = from + SPEED * dt;
      x[i] = to;
      const at = isSwept ? meetsWall(from, to) : isInWall(to) ? to : -1;
      if (at >= 0) met[i] = at;
    }
  });
  const hits = met.filter((at) => at >= 0);
  if (!x.every((at, i) => met[i]! >= 0 || at > WALL + WALL_WIDTH))
    throw new Error("a bullet is still flying");
  return { missed: 1 - hits.length / BULLETS, depth: Math.max(...hits) - WALL };
}
