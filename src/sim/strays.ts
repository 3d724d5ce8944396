import { bytesOf, readBytes } from "./bytes.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

/**
 * Undoes what a refused async step still writes. Its promise goes on after the step was rolled back, and holds the world.
 * Until all such promises are settled, a copy of the run's state is kept, and restored before anybody looks at it.
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
    // By way of a real promise, as any object with a `then` may call back at once, or twice.
    void Promise.resolve(promise).then(settle, settle);
  }

  /** Call after each step and each load: this is the state to restore. */
  keep(): void {
    if (this.#pending > 0) this.#bytes = bytesOf(this.#simulation, this.#run);
  }

  restore(): void {
    if (this.#bytes) readBytes(this.#simulation, this.#run, this.#bytes);
  }

  /** The run is disposed of, or cannot be saved. */
  forget(): void {
    this.#bytes = undefined;
  }
}
