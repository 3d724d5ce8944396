import { misuse } from "../errors/index.js";
import { Loop, type LoopOptions, type LoopSettings } from "../loop/index.js";
import { exactRate, type Rate } from "../time/index.js";
import type { AnySimulation } from "./simulation.js";

/** The loop of `play` and `drive`. Its rate is that of the simulation, and so are its beats. */
export class DrivenLoop extends Loop {
  readonly #simulation: () => AnySimulation;

  /** @internal Created by `drive` and `play`. */
  constructor(options: LoopOptions, simulation: () => AnySimulation) {
    super(options);
    this.#simulation = simulation;
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
  }

  #requireRate(rate: readonly [number, number]): void {
    const { name, rate: own } = this.#simulation();
    if (rate[0] === own[0] && rate[1] === own[1]) return;
    misuse(
      "rate-mismatch",
      "Loop.configure",
      `the simulation ${JSON.stringify(name)} always runs at ${own[0] / own[1]} steps per second, as every replay, rollback and peer depends on it`,
      "To save time, put slow work into simulation({ beats }); for precision, take substeps in its step",
    );
  }
}
