import { Loop, measure, type Measurements } from "tickwise";
import { manualDriver } from "tickwise/testing";
import { spring, START, stepSpring } from "../../../scenes/spring.js";
import type { NamedPolicy } from "./policies.js";
import type { SpiralSettings } from "./settings.js";

/** A world as its display shows it. */
export interface Snapshot {
  /** Simulated seconds at which the display showed it. */
  readonly at: number;
  readonly x: number;
  readonly shownTime: number;
  readonly frames: number;
  readonly steps: number;
  readonly lost: number;
}

const START_SNAPSHOT: Snapshot = { at: 0, x: START, shownTime: 0, frames: 0, steps: 0, lost: 0 };

/** No damping: this ball swings forever. */
export const DAMPING = 0;

/** A loop with its own simulated display, on a machine whose steps cost simulated time. */
export class World {
  /** The snapshots of the last second and the one before; the last is on screen. */
  readonly snapshots: Snapshot[] = [START_SNAPSHOT];
  readonly #driver = manualDriver();
  readonly #loop: Loop;
  readonly #figures: Measurements;
  readonly #refresh: number;
  #refreshes = 0;
  #longest = 0;
  /** Where the ball was last drawn; visible from the next refresh. */
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
      step({ dt }) {
        before = ball.x;
        stepSpring(ball, dt, DAMPING);
        driver.spend(dt * costAt(driver.time / 1000));
      },
      render: ({ alpha }) => {
        this.#x = before + (ball.x - before) * alpha;
      },
    });
    policy.attach?.(this.#loop);
    this.#figures = measure(this.#loop);
    this.#loop.start(driver);
    driver.play([0]);
  }

  get seen(): Snapshot {
    return this.snapshots.at(-1)!;
  }

  /** When the newest frame began, in simulated seconds, and how long its steps take. The display does not show it before they end. */
  get work(): { readonly from: number; readonly seconds: number } {
    const from = (this.#refreshes * this.#refresh) / 1000;
    return { from, seconds: Math.max(0, this.#driver.time / 1000 - from) };
  }

  /** Advances the world to this time. */
  advance(seconds: number): void {
    for (;;) {
      // The next refresh to come, computed as in `driver.display`.
      const next = Math.max(this.#refreshes + 1, Math.ceil(this.#driver.time / this.#refresh - 1e-9));
      if (next * this.#refresh > seconds * 1000) return;
      // It shows the finished picture, and starts the next frame.
      this.#takeSnapshot((next * this.#refresh) / 1000);
      this.#refreshes = next;
      this.#driver.play([next * this.#refresh]);
    }
  }

  /** Recent frames per second; falls while the picture is frozen. */
  frameRate(now: number): number {
    const [first, last] = this.#span();
    const frames = last.frames - first.frames;
    if (frames === 0) return 0;
    const mean = (last.at - first.at) / frames;
    const frozen = now - last.at;
    return 1 / (frozen > 2 * mean ? frozen : mean);
  }

  /** How long the picture on screen has stood still by now. */
  frozen(now: number): number {
    return now - this.seen.at;
  }

  /** The longest time so far that a picture stood still. */
  longestFreeze(now: number): number {
    return Math.max(this.#longest, this.frozen(now));
  }

  /** How long the current picture takes, or the last one took, if that was longer. */
  frameTime(now: number): number {
    const before = this.snapshots.at(-2);
    return Math.max(this.frozen(now), before ? this.seen.at - before.at : 0);
  }

  /** Seconds that have passed, but were neither shown nor given up. The loop still has to simulate them. */
  owed(now: number): number {
    return Math.max(0, now - this.seen.shownTime - this.seen.lost);
  }

  /** Recent simulated seconds per second. Falls while the picture is frozen. */
  speed(now: number): number {
    const [first, last] = this.#span();
    return (last.shownTime - first.shownTime) / (now - first.at || 1);
  }

  #span(): [Snapshot, Snapshot] {
    return [this.snapshots[0]!, this.seen];
  }

  #takeSnapshot(at: number): void {
    const { shownTime } = this.#loop.frame;
    const { frames, steps, lostSeconds: lost } = this.#figures;
    this.#longest = Math.max(this.#longest, at - this.seen.at);
    this.snapshots.push({ at, x: this.#x, shownTime, frames, steps, lost });
    while (this.snapshots.length > 2 && this.snapshots[1]!.at < at - 1) this.snapshots.shift();
  }
}
