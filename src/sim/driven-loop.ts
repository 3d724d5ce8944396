import { misuse } from "../errors/index.js";
import { Loop, type LoopOptions, type LoopSettings, type PolicyOptions } from "../loop/index.js";
import { exactRate, type Rate } from "../time/index.js";
import type { Session } from "./session.js";

/** @internal Returns the settings that say what happens if a frame is too long. */
export function policyOf(settings: PolicyOptions): PolicyOptions {
  const { maxFrameTime, maxSteps, stepBudget, overload, measureCosts } = settings;
  return { maxFrameTime, maxSteps, stepBudget, overload, measureCosts };
}

/** The loop of `play` and `drive`. Its rate is that of the simulation, and so are its beats. */
export class DrivenLoop extends Loop {
  readonly #session: () => Session<unknown>;
  /** The time scale that the session was told last. */
  #toldScale = 1;

  /** @internal Created by `drive` and `play`. */
  constructor(options: LoopOptions, session: () => Session<unknown>) {
    super(options);
    this.#session = session;
  }

  /** @internal Tells a session that simulates elsewhere how its loop is set. */
  introduce(policy: PolicyOptions): void {
    const { follower } = this.#session();
    if (!follower) return;
    follower.configure(policy);
    follower.setTimeScale((this.#toldScale = this.timeScale));
    follower.setPaused(this.paused || !this.running);
  }

  /** @internal Tells a session that simulates elsewhere the time scale, if it has changed: along a ramp, it does in each frame. */
  tellScale(): void {
    const { follower } = this.#session();
    if (!follower || this.#toldScale === this.timeScale) return;
    follower.setTimeScale((this.#toldScale = this.timeScale));
  }

  override start(): void {
    super.start();
    this.#session().follower?.setPaused(this.paused || !this.running);
  }

  override stop(): void {
    super.stop();
    this.#session().follower?.setPaused(true);
  }

  override pause(): void {
    super.pause();
    this.#session().follower?.setPaused(true);
  }

  override resume(): void {
    super.resume();
    this.#session().follower?.setPaused(this.paused || !this.running);
  }

  override hitStop(seconds: number): void {
    super.hitStop(seconds);
    this.#session().follower?.hitStop(seconds);
  }

  override runSteps(count = 1): void {
    super.runSteps(count);
    this.#session().follower?.runSteps(count);
  }

  /**
   * Throws: a session can rewind, stall, seek and roll back, but the loop's own beats would go on. Declare the beat in the
   * simulation: `simulation({ beats: { think: { rate: 4, run(world) {} } } })`.
   */
  override every(_rate: Rate, _run: never): never {
    return misuse(
      "rate-mismatch",
      "Loop.every",
      "this loop drives a session, whose ticks may go back, stall or be simulated again",
      'Declare the beat in simulation({ beats: { think: { rate: 4, run(world) {} } } }). For work outside of the simulation, count ticks in session.on("confirmed", …)',
    );
  }

  /** Changes settings, as `Loop.configure` does. Throws if `rate` is not that of the simulation. */
  override configure(settings: Partial<LoopSettings>): void {
    const rate = (settings as Partial<LoopSettings> | undefined)?.rate;
    if (rate !== undefined) this.#requireRate(exactRate("Loop.configure: rate", rate));
    super.configure(settings);
    this.#session().follower?.configure(policyOf(settings));
  }

  #requireRate(rate: readonly [number, number]): void {
    const { name, rate: own } = this.#session().simulation;
    if (rate[0] === own[0] && rate[1] === own[1]) return;
    misuse(
      "rate-mismatch",
      "Loop.configure",
      `the simulation ${JSON.stringify(name)} always runs at ${own[0] / own[1]} steps per second, as every replay, rollback and peer depends on it`,
      "To save time, put slow work into simulation({ beats }); for precision, take substeps in its step",
    );
  }
}
