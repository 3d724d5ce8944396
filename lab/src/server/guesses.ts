import { BALL } from "../../../scenes/arena.js";
import { RecentValues } from "./recent.js";
import type { ArenaView } from "./screen.js";

/** Ticks that may be guessed ahead, and ticks that the mean covers: three seconds. */
const KEPT = 256;
const RECENT = 180;
const BODIES = BALL + 1;

/** Compares what a client first guessed about each tick with what the server decided. */
export class Guesses {
  readonly #ticks = new Float64Array(KEPT).fill(-1);
  readonly #x = new Float64Array(KEPT * BODIES);
  readonly #y = new Float64Array(KEPT * BODIES);
  readonly #errors = new RecentValues(RECENT);

  /** The distance of the worst guess of each tick, in pixels: the mean over the last seconds. */
  get error(): number {
    return this.#errors.mean;
  }

  guess(tick: number, { bodies }: ArenaView): void {
    const slot = tick % KEPT;
    this.#ticks[slot] = tick;
    for (let body = 0; body < BODIES; body++) {
      this.#x[slot * BODIES + body] = bodies.x[body]!;
      this.#y[slot * BODIES + body] = bodies.y[body]!;
    }
  }

  /** Takes the server's state at a tick. */
  judge(tick: number, { bodies, players }: ArenaView): void {
    const slot = tick % KEPT;
    if (this.#ticks[slot] !== tick) return;
    let largest = 0;
    for (let body = 0; body < BODIES; body++) {
      if (body < BALL && players.away[body]! > 0) continue;
      const i = slot * BODIES + body;
      largest = Math.max(largest, Math.hypot(bodies.x[body]! - this.#x[i]!, bodies.y[body]! - this.#y[i]!));
    }
    this.#errors.add(largest);
  }
}
