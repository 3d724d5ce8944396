import { Loop } from "tickwise";
import { exactSpring, spring, START, stepSpring } from "../../../scenes/spring.js";
import { Recent } from "./recent.js";
import type { FiveLoopsSettings } from "./settings.js";
import type { Strategy } from "./strategies.js";
import type { ReferenceRun } from "./reference-run.js";

/** One ball, its loop, and what can be said about them. */
export class Lane {
  readonly recent = new Recent();
  readonly loop: Loop;
  /** Where the ball is drawn, and where it truly is at the time that the lane should show. */
  x = START;
  exactX = START;
  /** Totals over all rounds. */
  steps = 0;
  lostSeconds = 0;
  /** How far the newest state is from the true run. */
  drift = 0;
  /** Seconds of this frame, clamped and scaled. */
  delta = 0;
  #ball = spring();
  #before = START;
  #frameSteps = 0;
  #earlierLost = 0;
  /** Seconds that the picture has shown and should have shown: in this round, and before it. */
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
      timeScale: scale,
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
  }

  /** Seconds simulated for each second that should have been. */
  get pace(): number {
    return (this.#earlierShown + this.#shown) / (this.#earlierWanted + this.#wanted || 1);
  }

  /** Seconds that the picture has fallen behind or run ahead, since the start. */
  get slip(): number {
    return this.#earlierShown + this.#shown - this.#earlierWanted - this.#wanted;
  }

  /** Puts the ball back to the start. */
  restart(): void {
    this.#earlierLost = this.lostSeconds;
    this.#earlierShown += this.#shown;
    this.#earlierWanted += this.#wanted;
    this.#shown = this.#wanted = 0;
    this.#ball = spring();
    this.#before = START;
    this.loop.reset();
  }

  /** Notes what the frame has shown, now that the round's clock stands here. */
  measure(clock: number, time: number): void {
    const { loop } = this;
    const { blended } = this.strategy;
    const shown = blended ? loop.shownTime : loop.time;
    // Blending draws one step late, always: that is the price of an even picture, and no slip.
    const wanted = blended ? Math.max(0, clock - loop.dt) : clock;
    const slip = shown - this.#shown - (wanted - this.#wanted);
    this.#shown = shown;
    this.#wanted = wanted;
    this.exactX = exactSpring(wanted);
    this.steps += this.#frameSteps;
    this.lostSeconds = this.#earlierLost + loop.stats.lostSeconds;
    this.recent.add({
      time,
      x: this.x,
      steps: this.#frameSteps,
      distance: Math.abs(this.x - this.exactX),
      slip,
    });
    // Up to a step may wait for its time.
    const due = Math.min(Math.max(loop.time, clock - loop.dt - 1e-6), clock + 1e-6);
    this.drift = Math.abs(this.#ball.x - this.reference.at(due));
  }
}
