import { misuse } from "../errors/index.js";
import { hashText, LIVE, type Difference } from "../state/index.js";
import type { Run } from "./run.js";

/**
 * Finds writes to the world outside a step, for sessions with a guard. No recording would hold such a write, and a
 * resimulation would lose it.
 */
export class WorldWatch {
  readonly #run: Run;
  /** The run's snapshot that holds the state as the last step left it. */
  readonly #snapshot: number;

  constructor(run: Run, snapshot: number) {
    this.#run = run;
    this.#snapshot = snapshot;
    this.keep();
  }

  /** Accepts the current state. Call it after each step and each load. */
  keep(): void {
    this.#run.state.save(this.#snapshot);
  }

  /** Throws if the world has changed since, and undoes the change. */
  check(): void {
    const { state } = this.#run;
    if (hashText(state.hash(this.#snapshot)) === hashText(state.hash(LIVE))) return;
    const [{ path, a, b }] = state.diff(this.#snapshot, LIVE, 1) as [Difference];
    state.load(this.#snapshot);
    misuse(
      "read-only",
      "Session.world",
      `${path} was changed from ${a} to ${b} outside a step`,
      "Change the world in step only, for example in response to an input",
    );
  }
}
