import { Loop } from "tickwise";
import { manualDriver } from "tickwise/testing";
import { spring, START, stepSpring } from "../../../scenes/spring.js";
import type { NamedPolicy } from "./policies.js";
import type { SpiralSettings } from "./settings.js";

/** What can be seen of a world. */
export interface Snapshot {
  /** Virtual seconds at which the display showed it. */
  readonly at: number;
  readonly x: number;
  readonly shownTime: number;
  readonly frames: number;
  readonly steps: number;
  readonly lost: number;
  readonly debt: number;
}

const START_SNAPSHOT: Snapshot = { at: 0, x: START, shownTime: 0, frames: 0, steps: 0, lost: 0, debt: 0 };

/** No damping: this ball swings for ever. */
export const DAMPING = 0;

/** A loop before a display of its own, on a machine whose steps cost virtual time. */
export class World {
  /** The pictures of the last second, and the one before: the last one is what can be seen. */
  readonly pictures: Snapshot[] = [START_SNAPSHOT];
  readonly #driver = manualDriver();
  readonly #loop: Loop;
  readonly #refresh: number;
  #refreshes = 0;
  /** Where the ball was drawn last; it is not seen before the next refresh. */
  #x = START;

  constructor(
    readonly policy: NamedPolicy,
    { rate, fps }: SpiralSettings,
    costAt: (seconds: number) => number,
  ) {
    const driver = this.#driver;
    const ball = spring();
    let before = ball.x;
    this.#refresh = 1000 / fps;
    this.#loop = new Loop({
      rate,
      ...policy.options,
      driver,
      step({ dt }) {
        before = ball.x;
        stepSpring(ball, dt, DAMPING);
        driver.spend(dt * costAt(driver.time / 1000));
      },
      render: ({ alpha }) => {
        this.#x = before + (ball.x - before) * alpha;
      },
    });
    this.#loop.start();
    driver.play([0]);
  }

  get seen(): Snapshot {
    return this.pictures.at(-1)!;
  }

  /** Lets the world come to this time. */
  advance(seconds: number): void {
    for (;;) {
      // The next refresh that is still to come, as `driver.display` has it.
      const next = Math.max(this.#refreshes + 1, Math.ceil(this.#driver.time / this.#refresh - 1e-9));
      if (next * this.#refresh > seconds * 1000) return;
      // It shows what is ready by then, and begins the next frame.
      this.#see((next * this.#refresh) / 1000);
      this.#refreshes = next;
      this.#driver.play([next * this.#refresh]);
    }
  }

  /** Frames a second, lately; a picture that stands makes it fall. */
  frameRate(now: number): number {
    const [first, last] = this.#span();
    const frames = last.frames - first.frames;
    if (frames === 0) return 0;
    const mean = (last.at - first.at) / frames;
    const stood = now - last.at;
    return 1 / (stood > 2 * mean ? stood : mean);
  }

  /** Simulated seconds a second, lately. */
  get speed(): number {
    const [first, last] = this.#span();
    return (last.shownTime - first.shownTime) / (last.at - first.at || 1);
  }

  #span(): [Snapshot, Snapshot] {
    return [this.pictures[0]!, this.seen];
  }

  #see(at: number): void {
    const { stats, shownTime, debt } = this.#loop;
    const { frames, steps, lostSeconds: lost } = stats;
    this.pictures.push({ at, x: this.#x, shownTime, frames, steps, lost, debt });
    while (this.pictures.length > 2 && this.pictures[1]!.at < at - 1) this.pictures.shift();
  }
}
