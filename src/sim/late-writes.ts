import { bytesOf, readBytes } from "./bytes.js";
import type { Run } from "./run.js";
import type { AnySimulation } from "./simulation.js";

/**
 * Undoes the late writes of async steps. Such a step was rejected and rolled back, but it continues, and can still write to the
 * world. Until all of their promises have settled, this keeps a copy of the state and restores it before each use.
 */
export class LateWrites {
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
    const settled = () => {
      this.restore();
      this.#pending -= 1;
      if (this.#pending === 0) this.#bytes = undefined;
    };
    // Through a real promise, as any object with a `then` may call back at once, or twice.
    void Promise.resolve(promise).then(settled, settled);
  }

  /** Keeps the current state as the one to restore. Call it after each step and each load. */
  keep(): void {
    if (this.#pending > 0) this.#bytes = bytesOf(this.#simulation, this.#run);
  }

  restore(): void {
    // A step that reads the session's world is in the middle of writing it.
    if (this.#bytes && !this.#run.isBusy) readBytes(this.#simulation, this.#run, this.#bytes);
  }

  /** Stops restoring, as the run is disposed or cannot be saved. */
  forget(): void {
    this.#bytes = undefined;
  }
}
