import { Loop, timeScale } from "tickwise";
import { exactSpring, spring, START, stepSpring } from "../../../scenes/spring.js";
import { Recent } from "./recent.js";
import type { FiveLoopsSettings } from "./settings.js";
import type { Strategy } from "./strategies.js";
import type { ReferenceRun } from "./reference-run.js";

/** One ball, its loop, and measurements of both. */
export class Lane {
  readonly recent = new Recent();
  readonly loop: Loop;
  /** Where the ball is drawn, and the exact solution at the time that the lane should show. */
  x = START;
  exactX = START;
  /** Totals over all rounds. */
  steps = 0;
  lostSeconds = 0;
  /** Distance of the newest state from the reference run. */
  drift = 0;
  /** This frame's time, clamped and scaled. */
  delta = 0;
  #ball = spring();
  #before = START;
  #frameSteps = 0;
  #earlierLost = 0;
  /** Seconds that the picture has shown and should have shown, in this round and in earlier ones. */
  #shown = 0;
  #wanted = 0;
  #earlierShown = 0;
  #earlierWanted = 0;

  constructor(
    readonly strategy: Strategy,
    { rate, scale }: FiveLoopsSettings,
    private readonly reference: ReferenceRun,
  ) {
    this.loop = new Loop({
      rate,
      stepping: strategy.stepping,
      step: ({ dt }) => {
        this.#before = this.#ball.x;
        stepSpring(this.#ball, dt);
      },
      render: ({ alpha, delta, steps }) => {
        const { x } = this.#ball;
        this.x = strategy.blended ? this.#before + (x - this.#before) * alpha : x;
        this.delta = delta;
        this.#frameSteps = steps;
      },
    });
    timeScale(this.loop).set(scale);
  }

  /** Ratio of the time shown to the time that should have been shown. */
  get pace(): number {
    return (this.#earlierShown + this.#shown) / (this.#earlierWanted + this.#wanted || 1);
  }

  /** Seconds that the picture is ahead of (+) or behind (-) schedule since the start. */
  get slip(): number {
    return this.#earlierShown + this.#shown - this.#earlierWanted - this.#wanted;
  }

  /** Starts a new round. */
  restart(): void {
    this.#earlierLost = this.lostSeconds;
    this.#earlierShown += this.#shown;
    this.#earlierWanted += this.#wanted;
    this.#shown = this.#wanted = 0;
    this.#ball = spring();
    this.#before = START;
    this.loop.reset();
  }

  /** Records what the frame has shown. `clock` is the time of this round, `time` that of the display. */
  measure(clock: number, time: number): void {
    const { loop } = this;
    const { blended } = this.strategy;
    const shown = blended ? loop.frame.shownTime : loop.time;
    // Blending always draws one step late. That is the price of even motion and does not count as slip.
    const wanted = blended ? Math.max(0, clock - loop.dt) : clock;
    const slip = shown - this.#shown - (wanted - this.#wanted);
    this.#shown = shown;
    this.#wanted = wanted;
    this.exactX = exactSpring(wanted);
    this.steps += this.#frameSteps;
    this.lostSeconds = this.#earlierLost + loop.lostSeconds;
    this.recent.add({
      time,
      x: this.x,
      steps: this.#frameSteps,
      distance: Math.abs(this.x - this.exactX),
      slip,
    });
    // Up to one step may still be pending.
    const due = Math.min(Math.max(loop.time, clock - loop.dt - 1e-6), clock + 1e-6);
    this.drift = Math.abs(this.#ball.x - this.reference.at(due));
  }
}
