import { BALL } from "../../../scenes/arena.js";
import { RecentValues } from "./recent.js";
import type { ArenaView } from "./screen.js";

/** How many pictures are remembered. */
const PICTURES = 240;

interface Place {
  readonly x: number;
  readonly y: number;
  readonly vx: number;
  readonly vy: number;
  readonly isAway: boolean;
}

/** Measures how far bodies jump from picture to picture, beyond their own motion. */
export class JumpMeter {
  /** The largest jump of each of the latest pictures, in pixels. */
  readonly jumps = new RecentValues(PICTURES);
  #last: readonly Place[] = [];

  /** Adds a picture that is shown this many seconds after the one before. */
  add({ bodies, players }: ArenaView, seconds: number): void {
    const places = Array.from({ length: BALL + 1 }, (_, body) => ({
      x: bodies.x[body]!,
      y: bodies.y[body]!,
      vx: bodies.vx[body]!,
      vy: bodies.vy[body]!,
      isAway: body < BALL && players.away[body]! > 0,
    }));
    if (seconds > 0 && this.#last.length > 0)
      this.jumps.add(Math.max(...places.map((place, body) => jumpOf(this.#last[body]!, place, seconds))));
    this.#last = places;
  }

  clear(): void {
    this.#last = [];
  }
}

/** A body may move by its old or its new speed: an impact is no jump. */
function jumpOf(before: Place, after: Place, seconds: number): number {
  // Players that fell are put back elsewhere.
  if (before.isAway || after.isAway) return 0;
  const beyond = ({ vx, vy }: Place) =>
    Math.hypot(after.x - before.x - vx * seconds, after.y - before.y - vy * seconds);
  return Math.min(beyond(before), beyond(after));
}
