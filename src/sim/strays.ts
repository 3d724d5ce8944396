import { bytesOf, readBytes } from "./bytes.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

/**
 * Undoes what refused async steps still write. Such a step was rolled back, but continues, and can write to the world. Until
 * all of their promises are settled, a copy of the run's state is kept, and restored before the state is used.
 */
export class Strays {
  readonly #simulation: AnySimulation;
  readonly #run: Run;
  #pending = 0;
  #bytes: Uint8Array | undefined;

  constructor(simulation: AnySimulation, run: Run) {
    this.#simulation = simulation;
    this.#run = run;
  }

  add(promise: PromiseLike<unknown>): void {
    this.#pending += 1;
    const settle = () => {
      this.restore();
      this.#pending -= 1;
      if (this.#pending === 0) this.#bytes = undefined;
    };
    // Through a real promise, as any object with a `then` may call back at once, or twice.
    void Promise.resolve(promise).then(settle, settle);
  }

  /** Keeps the present state as the one to restore. Call it after each step and each load. */
  keep(): void {
    if (this.#pending > 0) this.#bytes = bytesOf(this.#simulation, this.#run);
  }

  restore(): void {
    // A step that reads the session's world is in the middle of writing it.
    if (this.#bytes && !this.#run.isBusy) readBytes(this.#simulation, this.#run, this.#bytes);
  }

  /** Restores nothing from now on, as the run is disposed of or cannot be saved. */
  forget(): void {
    this.#bytes = undefined;
  }
}
